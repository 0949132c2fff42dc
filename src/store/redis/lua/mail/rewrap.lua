-- Stores a data key wrapped by a newer entry, unless another process was faster. ARGV: contact, old, new.
local s = of('s', ARGV[1])
if redis.call('HGET', s, 'k') == ARGV[2] then redis.call('HSET', s, 'k', ARGV[3]) end
return 1
