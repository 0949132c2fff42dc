-- Begins due effects. ARGV: limit, lease ms, offset ms, token, number of paused scopes, scopes …, number of classes or -1 for
-- all, classes …, then what this process knows of the partition: `run.history` of its server or '', how many guarded effects
-- were begun in it, 1 to look at the server in any case, number of shares or -1 for none, then scope and number …: only these
-- scopes, and at most that many of each. Answers {more due?, look or 0, effect, …}. A class that is held does not leave; fiscal
-- and costly effects leave only where, besides, the server is the one written down and has forgotten nothing. A look is {fits?,
-- run, history, continued history, started, cluster?, noted run, noted history, noted when, guarded effects begun, held
-- classes, now}.
local limit, ms, virtual = tonumber(ARGV[1]), tonumber(ARGV[2]), NOW + tonumber(ARGV[3])
local paused, classes = {}, nil
local at = 5
for i = 1, tonumber(ARGV[at]) do paused[ARGV[at + i]] = true end
at = at + 1 + tonumber(ARGV[at])
if ARGV[at] ~= '-1' then
  classes = {}
  for i = 1, tonumber(ARGV[at]) do classes[ARGV[at + i]] = true end
  at = at + tonumber(ARGV[at])
end

local shares = tonumber(ARGV[at + 4]) >= 0 and {} or nil
for i = 1, tonumber(ARGV[at + 4]) do shares[ARGV[at + 3 + 2 * i]] = tonumber(ARGV[at + 4 + 2 * i]) end

local answer = {0, 0}

-- Nothing waits.
if ARGV[at + 3] ~= '1' and redis.call('EXISTS', BUCKETS) == 0 then return answer end

local facts = redis.call('HMGET', COUNT, 'hold', 'offered')
local held, latest = {}, tonumber(facts[2] or '0')
for one in string.gmatch(facts[1] or '', '%S+') do held[one] = true end

local function look()
  local is, noted = server(), redis.call('HMGET', COUNT, 'run', 'history', 'seen', 'guarded', 'hold')
  local fits = noted[1] == is[1] and noted[2] == is[2] and tonumber(noted[4] or '0') >= tonumber(ARGV[at + 2])
    and (ARGV[at + 1] == '' or ARGV[at + 1] == is[1] .. '.' .. is[2])
  if fits and NOW - tonumber(noted[3]) > 60000 then redis.call('HSET', COUNT, 'seen', NOW) end
  answer[2] = {fits and 1 or 0, is[1], is[2], is[3], is[4], is[5], noted[1] or '', noted[2] or '', noted[3] or '0',
    noted[4] or '0', noted[5] or '', NOW}
end
local function may_leave(class)
  if class ~= 'fiscal' and class ~= 'costly' then return not held[class] end
  if answer[2] == 0 then look() end
  return answer[2][1] == 1 and not held[class]
end

-- The clock jumped back, or a sandbox's was set back: effects that could leave at once, or within seconds, now seem to wait far
-- longer. They keep their order among each other.
local far = virtual + LONGEST_WAIT
local function pull(bucket, from, til, all)
  local ids = redis.call('ZRANGEBYSCORE', of('b', bucket), from, til, 'LIMIT', 0, 1000)
  for n, id in ipairs(ids) do
    local nb = tonumber(redis.call('HGET', effect(id), 'nb') or '0')
    if all and nb > virtual then redis.call('HSET', effect(id), 'nb', virtual) end
    if all or nb <= virtual then redis.call('ZADD', of('b', bucket), virtual - #ids + n, id) end
  end
  reindex(bucket)
end
local function pull_back(bucket)
  if latest > virtual then pull(bucket, '(' .. virtual, latest + 1000, false) end
  local last = redis.call('ZREVRANGE', of('b', bucket), 0, 0, 'WITHSCORES')
  if last[2] and tonumber(last[2]) > far then pull(bucket, far, '+inf', true) end
end
for _, bucket in ipairs(redis.call('ZRANGEBYSCORE', BUCKETS, far, '+inf', 'LIMIT', 0, 10)) do pull_back(bucket) end
if latest > virtual then
  for _, bucket in ipairs(redis.call('ZRANGEBYSCORE', BUCKETS, '(' .. virtual, latest + 1000, 'LIMIT', 0, 100)) do
    pull_back(bucket)
  end
end

if ARGV[at + 3] == '1' then look() end

-- A bucket that had its turn comes after those that wait since before, also within one millisecond, and stays due.
local latest_turn = 0
local function turn()
  local now = math.min(NOW, virtual)
  latest_turn = math.min(math.max(now - 1, latest_turn + 1 / 1024), now)
  return latest_turn
end

-- At most this many of one bucket, the oldest first.
local function take(one, most)
  local bucket, room = of('b', one.bucket), most
  if shares then room = math.min(most, shares[one.scope] or 0) end
  one.more = most == 0
  if most > 0 and room == 0 then answer[1] = 1 end
  if room == 0 then return end
  pull_back(one.bucket)
  -- One more than is taken shows whether any are left.
  local due = redis.call('ZRANGEBYSCORE', bucket, '-inf', virtual, 'LIMIT', 0, room + 1)
  if #due > room then
    one.more = room == most
    table.remove(due)
  end
  if shares then shares[one.scope] = shares[one.scope] - #due end
  for _, id in ipairs(due) do
    local e = redis.call('HMGET', effect(id), 'contact', 'attempt')
    redis.call('ZREM', bucket, id)
    lease(id, e[1], ARGV[4] .. '.' .. (#answer - 1), ms, tonumber(e[2]) + 1)
    table.insert(answer, begun(id))
    limit = limit - 1
  end
  if #due == 0 then return reindex(one.bucket) end
  reindex(one.bucket, turn())
  if NOW > latest + 1000 then stamp() end
  if one.class == 'fiscal' or one.class == 'costly' then
    answer[2][10] = redis.call('HINCRBY', COUNT, 'guarded', #due)
    redis.call('HSET', COUNT, 'seen', NOW)
  end
end

local open = {}
local waiting = redis.call('ZRANGEBYSCORE', BUCKETS, '-inf', virtual, 'WITHSCORES')
for n = 1, #waiting, 2 do
  local bucket = waiting[n]
  local class, scope = string.match(bucket, '^(%S+) (.*)$')
  latest_turn = tonumber(waiting[n + 1])
  if not paused[scope] and (not classes or classes[class]) and may_leave(class) then
    table.insert(open, {bucket = bucket, class = class, scope = scope})
    if limit == 0 then break end
  end
end
-- The same room for each bucket first, so that none waits for the end of another; then the rest, the oldest first.
for n, one in ipairs(open) do take(one, math.ceil(limit / (#open - n + 1))) end
for _, one in ipairs(open) do
  if one.more and limit > 0 then take(one, limit) end
  if one.more then answer[1] = 1 end
end
return answer
