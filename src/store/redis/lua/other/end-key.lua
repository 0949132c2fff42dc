-- KEYS[1]: `prosa:{iss:<hash>}`. ARGV: owner, 'settle' or 'free', ttl ms from its settling on or ''. Answers 1, or 0 when it
-- is not the owner's, or is to be freed and was settled meanwhile.
local held = redis.call('HMGET', KEYS[1], 'owner', 'state')
if held[1] ~= ARGV[1] then return 0 end
local settled = held[2] == 'settled'
if ARGV[2] == 'free' then
  if settled then return 0 end
  redis.call('DEL', KEYS[1])
elseif not settled then
  redis.call('HSET', KEYS[1], 'state', 'settled')
  if ARGV[3] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
end
return 1
