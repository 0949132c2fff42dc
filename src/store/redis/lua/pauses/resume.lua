-- Ends a pause. KEYS[1]: `prosa:pauses`. ARGV: scope, `until|reason` it must have or ''. Answers 1 when it ended one, 0 also
-- when a rate limit under it takes its place: that is ended only by a caller that names no pause.
local scope, beneath = ARGV[1], ARGV[1] .. '|limit'
local old = redis.call('HGET', KEYS[1], scope)
if not old or (ARGV[2] ~= '' and string.match(old, '^%d+|(.*)$') ~= ARGV[2]) then return 0 end
local limit = redis.call('HGET', KEYS[1], beneath)
redis.call('HDEL', KEYS[1], scope, beneath)
if limit and ARGV[2] ~= '' then
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  if tonumber(string.match(limit, '^%d+|(%d*)|')) > now then
    redis.call('HSET', KEYS[1], scope, limit)
    return 0
  end
end
return 1
