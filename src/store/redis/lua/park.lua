-- The head goes to dead letters, a notice takes its place. ARGV: contact, account, epoch, rev, sealed reason, event
-- of the notice or '', sealed notice. Answers {0} when fenced, else {1, rev, left}.
local contact = ARGV[1]
local s, m = of('s', contact), of('m', contact)
local f = redis.call('HMGET', s, 'a', 'e', 'v')
if f[1] ~= ARGV[2] or f[2] ~= ARGV[3] or tonumber(f[3] or '0') ~= tonumber(ARGV[4]) then return {0} end
local head = redis.call('LINDEX', m, 0)
if not head then return {0} end
local seq, _, event, sealed = split(head)

redis.call('LPOP', m)
bury(contact, event == 'tick' and 'tick' .. seq or event, ARGV[5], sealed)
if ARGV[6] ~= '' then
  count('accepted', 1)
  redis.call('LPUSH', m, seq .. '|' .. NOW .. '|' .. ARGV[6] .. '|' .. ARGV[7])
end
redis.call('HDEL', s, 'e', 'b')
local left = redis.call('LLEN', m)
if left > 0 then
  redis.call('ZADD', READY, NOW, contact)
  wake('t')
else
  redis.call('ZREM', READY, contact)
  redis.call('ZREM', WAITING, contact)
end
return {1, f[3] or '0', left}
