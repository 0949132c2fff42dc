-- Effects in flight past their lease, leased to the caller. ARGV: limit, lease ms, token. Answers effects.
local answer = {}
for n, id in ipairs(redis.call('ZRANGEBYSCORE', FLIGHT, '-inf', NOW, 'LIMIT', 0, ARGV[1])) do
  local e = redis.call('HMGET', effect(id), 'contact', 'attempt')
  lease(id, e[1], ARGV[3] .. '.' .. n, tonumber(ARGV[2]), e[2])
  table.insert(answer, begun(id))
end
return answer
