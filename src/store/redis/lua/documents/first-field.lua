-- Writes a field that does not exist yet, so of several processes the first one's value stays. KEYS[1]: a hash. ARGV: field,
-- value. Answers the stored value.
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return redis.call('HGET', KEYS[1], ARGV[1])
