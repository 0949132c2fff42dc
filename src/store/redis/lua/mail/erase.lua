-- Drops everything of a contact, the data key first. ARGV: contact, account, how long in ms callers that found it by its names
-- are told that it is gone, or '' when it has none, an unused name for this erasure. Answers 1 when there was something.
local contact, account = ARGV[1], ARGV[2]
local s = of('s', contact)
local owner = redis.call('HGET', s, 'a')
if owner and owner ~= account then return 0 end
-- From here on the append-only file has to be rewritten.
if owner or ARGV[3] ~= '' then redis.call('HSET', COUNT, 'owed', ARGV[4]) end
if ARGV[3] ~= '' then redis.call('SET', of('x', contact), 1, 'PX', ARGV[3]) end
if not owner then return 0 end
local waiting = redis.call('LLEN', of('m', contact))
redis.call('DEL', s)
count('dead', waiting)
for _, id in ipairs(redis.call('LRANGE', of('f', contact), 0, -1)) do drop_effect(id, contact) end
for _, event in ipairs(redis.call('HKEYS', of('d', contact))) do
  redis.call('ZREM', DEAD, contact .. '.' .. event)
end
for _, kind in ipairs({'m', 'i', 'f', 'o', 'd'}) do redis.call('DEL', of(kind, contact)) end
for _, set in ipairs({READY, TIMERS, WAITING, INLINE, P .. 'sessions:' .. account}) do redis.call('ZREM', set, contact) end
return 1
