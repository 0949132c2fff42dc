-- KEYS[1]: `prosa:{iss:<hash>}`. ARGV: owner, ttl ms or ''. A repeated claim by its owner, not settled, stands at least that
-- long from now on. Answers {1}, or {0, owner, state}.
local held = redis.call('HMGET', KEYS[1], 'owner', 'state')
if held[1] and held[1] ~= ARGV[1] then return {0, held[1], held[2]} end
local ttl = tonumber(ARGV[2])
if not held[1] then
  redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'state', 'claimed')
  if ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
elseif held[2] ~= 'settled' then
  local left = redis.call('PTTL', KEYS[1])
  if left >= 0 and not ttl then redis.call('PERSIST', KEYS[1])
  elseif left >= 0 and ttl > left then redis.call('PEXPIRE', KEYS[1], ttl) end
end
return {1}
