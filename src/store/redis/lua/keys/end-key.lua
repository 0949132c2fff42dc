-- KEYS[1]: `prosa:{iss:<hash>}`. ARGV: owner, 'hold', 'settle', 'free' or 'release', ttl ms or ''. `hold`: it stands until
-- another action. `settle` with a ttl: it stands for that long from the first settling. `free` with a ttl: it stands for that
-- long still, never longer than it would have. `release`: it is free, settled or not. Answers 1, 0 when it is not the owner's,
-- or 2 when it is to be held or freed and was settled meanwhile.
local held = redis.call('HMGET', KEYS[1], 'owner', 'state')
if held[1] ~= ARGV[1] then return 0 end
local settled, ttl = held[2] == 'settled', tonumber(ARGV[3])
if ARGV[2] == 'settle' then
  if settled then return 1 end
  redis.call('HSET', KEYS[1], 'state', 'settled')
  if ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
  return 1
end
if ARGV[2] == 'release' then
  redis.call('DEL', KEYS[1])
  return 1
end
if settled then return 2 end
local left = redis.call('PTTL', KEYS[1])
if ARGV[2] == 'hold' then redis.call('PERSIST', KEYS[1])
elseif not ttl then redis.call('DEL', KEYS[1])
elseif left < 0 or ttl < left then redis.call('PEXPIRE', KEYS[1], ttl) end
return 1
