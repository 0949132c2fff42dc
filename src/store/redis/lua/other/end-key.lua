-- KEYS[1]: `prosa:{iss:<hash>}`. ARGV: owner, 'settle' or 'free'. Answers 1, or 0 when it is not the owner's.
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
if ARGV[2] == 'free' then redis.call('DEL', KEYS[1]) else redis.call('HSET', KEYS[1], 'state', 'settled') end
return 1
