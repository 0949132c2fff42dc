-- Takes due effects for sending. ARGV: limit, lease ms, offset ms, token, number of paused scopes, scopes …, number of
-- classes or -1 for all, classes …, then what this process knows of the partition: `run.history` of its server or '', how
-- many guarded effects were begun in it, 1 to look at the server in any case, number of shares or -1 for none, then scope and
-- number …: of these scopes alone, and of each no more. Answers {more due?, look or 0, effect, …}.
-- No class leaves that is held for a person; fiscal and costly effects only where the server is the one that is written down,
-- too, and nothing is forgotten. A look is {fits?, run, history, continued history, started, cluster?, noted run, noted history, noted
-- when, guarded effects begun, held classes, now}.
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

local held
local function is_held(class)
  if not held then
    held = {}
    for one in string.gmatch(redis.call('HGET', COUNT, 'hold') or '', '%S+') do held[one] = true end
  end
  return held[class]
end

local function look()
  local is, noted = server(), redis.call('HMGET', COUNT, 'run', 'history', 'seen', 'guarded', 'hold')
  local fits = noted[1] == is[1] and noted[2] == is[2] and tonumber(noted[4] or '0') >= tonumber(ARGV[at + 2])
    and (ARGV[at + 1] == '' or ARGV[at + 1] == is[1] .. '.' .. is[2])
  if fits and NOW - tonumber(noted[3]) > 60000 then redis.call('HSET', COUNT, 'seen', NOW) end
  answer[2] = {fits and 1 or 0, is[1], is[2], is[3], is[4], is[5], noted[1] or '', noted[2] or '', noted[3] or '0',
    noted[4] or '0', noted[5] or '', NOW}
end
local function may_leave(class)
  if class ~= 'fiscal' and class ~= 'costly' then return not is_held(class) end
  if answer[2] == 0 then look() end
  return answer[2][1] == 1 and not is_held(class)
end

-- The clock jumped back: what was to wait for seconds is far ahead now.
local function pull_back(bucket)
  local last = redis.call('ZREVRANGE', of('b', bucket), 0, 0, 'WITHSCORES')
  if not last[2] or tonumber(last[2]) <= virtual + LONGEST_WAIT then return end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', of('b', bucket), virtual + LONGEST_WAIT, '+inf', 'LIMIT', 0, 1000)) do
    redis.call('ZADD', of('b', bucket), virtual, id)
    redis.call('HSET', effect(id), 'nb', virtual)
  end
  reindex(bucket)
end
for _, bucket in ipairs(redis.call('ZRANGEBYSCORE', BUCKETS, virtual + LONGEST_WAIT, '+inf', 'LIMIT', 0, 10)) do
  pull_back(bucket)
end

if ARGV[at + 3] == '1' then look() end
for _, bucket in ipairs(redis.call('ZRANGEBYSCORE', BUCKETS, '-inf', virtual)) do
  local class, scope = string.match(bucket, '^(%S+) (.*)$')
  local share = limit
  if shares then share = math.min(limit, shares[scope] or 0) end
  if not paused[scope] and (not classes or classes[class]) and may_leave(class) then
    if share == 0 then
      answer[1] = 1
      if limit == 0 then break end
    else
      pull_back(bucket)
      -- One more than is taken tells whether any are left: the last bucket may hold more than a whole round.
      local due = redis.call('ZRANGEBYSCORE', of('b', bucket), '-inf', virtual, 'LIMIT', 0, share + 1)
      if #due > share then
        if share == limit then answer[1] = 1 end
        table.remove(due)
      end
      if shares then shares[scope] = shares[scope] - #due end
      for _, id in ipairs(due) do
        local e = redis.call('HMGET', effect(id), 'contact', 'attempt')
        redis.call('ZREM', of('b', bucket), id)
        lease(id, e[1], ARGV[4] .. '.' .. (#answer - 1), ms, tonumber(e[2]) + 1)
        table.insert(answer, begun(id))
        limit = limit - 1
      end
      reindex(bucket)
      if class == 'fiscal' or class == 'costly' then
        answer[2][10] = redis.call('HINCRBY', COUNT, 'guarded', #due)
        redis.call('HSET', COUNT, 'seen', NOW)
      end
    end
  end
end
return answer
