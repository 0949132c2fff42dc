-- KEYS[1]: `prosa:{d:<collection>}:`. ARGV: id. Answers 1 when it was there.
local docs, meta = KEYS[1] .. 'docs', KEYS[1] .. 'meta'
local old = redis.call('HGET', docs, ARGV[1])
if not old then return 0 end
local rev = tonumber(string.match(old, '^(%d+)|'))
redis.call('HDEL', docs, ARGV[1])
redis.call('ZREM', KEYS[1] .. 'ids', ARGV[1])
if rev > tonumber(redis.call('HGET', meta, 'floor') or '0') then redis.call('HSET', meta, 'floor', rev) end
return 1
