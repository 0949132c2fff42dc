-- KEYS[1]: `prosa:{iss:<hash>}`. ARGV: owner, ttl ms or ''. Answers {1}, or {0, owner, state}.
local held = redis.call('HMGET', KEYS[1], 'owner', 'state')
if held[1] and held[1] ~= ARGV[1] then return {0, held[1], held[2]} end
if not held[1] then
  redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'state', 'claimed')
  if ARGV[2] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
end
return {1}
