-- Drops the aliases of a contact with all that leads to them, and remembers when they were erased. KEYS[1]: `prosa:{a:<account>}:`. ARGV: contact, how
-- long the erased are remembered in ms, how many. Answers {1 when the contact was known, contacts merged into it …}.
local people, tombs, contact, life = KEYS[1] .. 'people', KEYS[1] .. 'erased', ARGV[1], ARGV[2]
if redis.call('HEXISTS', people, contact) == 0 then return {0} end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZREMRANGEBYSCORE', tombs, '-inf', now - life)
for hash in string.gmatch(redis.call('HGET', people, contact .. ':a') or '', '%S+') do
  redis.call('HDEL', KEYS[1] .. 'alias', hash)
  for _, name in ipairs(redis.call('LRANGE', KEYS[1] .. 'leads:' .. hash, 0, -1)) do redis.call('DEL', KEYS[1] .. 'lead:' .. name) end
  redis.call('DEL', KEYS[1] .. 'leads:' .. hash)
  redis.call('ZADD', tombs, now, hash)
end
redis.call('HDEL', people, contact .. ':a')
redis.call('ZREMRANGEBYRANK', tombs, 0, -1 - ARGV[3])
redis.call('PEXPIRE', tombs, life)
local answer = {1}
for loser in string.gmatch(redis.call('HGET', people, contact .. ':m') or '', '%S+') do answer[#answer + 1] = loser end
return answer
