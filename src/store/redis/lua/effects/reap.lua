-- Effects in flight past their lease, leased to the caller. ARGV: limit, lease ms, token. Answers effects.
local answer = {}
-- The clock jumped back: no lease is longer than the longest call may take (600 s and a margin), and those of classes that
-- are renewed are short.
local LONGEST, RENEWED = 620000, 10000
local SLOW = {fiscal = true, costly = true, destructive = true}
unfold_all('-inf', NOW, ARGV[1])
unfold_all(NOW + LONGEST, '+inf', 1000)
local last = redis.call('ZREVRANGE', FLIGHT, 0, 0, 'WITHSCORES')
if last[2] and tonumber(last[2]) > NOW + LONGEST then
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', FLIGHT, NOW + LONGEST, '+inf', 'LIMIT', 0, 1000)) do
    local slow = SLOW[redis.call('HGET', effect(id), 'class')]
    redis.call('ZADD', FLIGHT, NOW + (slow and LONGEST or RENEWED), id)
  end
end
for n, id in ipairs(redis.call('ZRANGEBYSCORE', FLIGHT, '-inf', NOW, 'LIMIT', 0, ARGV[1])) do
  local e = redis.call('HMGET', effect(id), 'contact', 'attempt')
  lease(id, e[1], ARGV[3] .. '.' .. n, tonumber(ARGV[2]), e[2])
  table.insert(answer, begun(id))
end
return answer
