-- A page of dead letters, oldest first. ARGV: account or '', score and member after which it begins or '', limit. Answers
-- {contact, event, account, wrapped key, letter}, ….
local answer, limit = {}, tonumber(ARGV[4])
local offset = 0
local from = ARGV[2] == '' and '-inf' or ARGV[2]
while #answer < limit do
  local ids = redis.call('ZRANGEBYSCORE', DEAD, from, '+inf', 'WITHSCORES', 'LIMIT', offset, 100)
  for i = 1, #ids, 2 do
    local after = ARGV[2] == '' or tonumber(ids[i + 1]) > tonumber(ARGV[2]) or is_before(ARGV[3], ids[i])
    if after and #answer < limit then
      local contact, event = string.match(ids[i], '^([^.]*)%.(.*)$')
      local f = redis.call('HMGET', of('s', contact), 'a', 'k')
      if ARGV[1] == '' or f[1] == ARGV[1] then
        table.insert(answer, {contact, event, f[1], f[2], redis.call('HGET', of('d', contact), event)})
      end
    end
  end
  if #ids < 200 then break end
  offset = offset + 100
end
return answer
