-- Stores a wrapping by a newer entry, unless another process was faster. KEYS[1]: a hash. ARGV: field, old, new. Answers 1 or
-- 0.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
