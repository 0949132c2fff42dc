-- Ends a pause. KEYS[1]: `prosa:pauses`. ARGV: scope, `until|reason` it must have or ''. Answers 1 when it ended one.
local old = redis.call('HGET', KEYS[1], ARGV[1])
if not old or (ARGV[2] ~= '' and string.match(old, '^%d+|(.*)$') ~= ARGV[2]) then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])
