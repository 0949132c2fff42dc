-- Drops a field of a hash while it has this value. KEYS[1]: the hash. ARGV: field, value.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])
