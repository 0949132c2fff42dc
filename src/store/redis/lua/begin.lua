-- Takes due effects for sending. ARGV: limit, lease ms, offset ms, token, number of paused scopes, scopes …, number of
-- classes or -1 for all, classes …. Answers {more due?, effect, …}.
local limit, ms, virtual = tonumber(ARGV[1]), tonumber(ARGV[2]), NOW + tonumber(ARGV[3])
local paused, classes = {}, nil
local at = 5
for i = 1, tonumber(ARGV[at]) do paused[ARGV[at + i]] = true end
at = at + 1 + tonumber(ARGV[at])
if ARGV[at] ~= '-1' then
  classes = {}
  for i = 1, tonumber(ARGV[at]) do classes[ARGV[at + i]] = true end
end

local answer = {0}
for _, bucket in ipairs(redis.call('ZRANGEBYSCORE', BUCKETS, '-inf', virtual)) do
  local class, scope = string.match(bucket, '^(%S+) (.*)$')
  if not paused[scope] and (not classes or classes[class]) then
    if limit == 0 then
      answer[1] = 1
      break
    end
    local due = redis.call('ZRANGEBYSCORE', of('b', bucket), '-inf', virtual, 'LIMIT', 0, limit)
    for _, id in ipairs(due) do
      local e = redis.call('HMGET', effect(id), 'contact', 'attempt')
      redis.call('ZREM', of('b', bucket), id)
      lease(id, e[1], ARGV[4] .. '.' .. #answer, ms, tonumber(e[2]) + 1)
      table.insert(answer, begun(id))
      limit = limit - 1
    end
    reindex(bucket)
  end
end
return answer
