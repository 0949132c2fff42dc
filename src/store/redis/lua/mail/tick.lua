-- Due timers become mail, mail that waited becomes ready. ARGV: offset ms, limit. Answers how many. Timers move only as far as
-- the ready set has room for them, so that a hundred thousand due at once do not delay new messages; at least one moves, so
-- that a busy store forgets none.
local virtual, limit = NOW + tonumber(ARGV[1]), tonumber(ARGV[2])
local room = math.max(1, limit - redis.call('ZCOUNT', READY, '-inf', NOW))
local moved = 0

local function move(due)
  for _, contact in ipairs(due) do
    count('accepted', 1)
    push(contact, NOW, 'tick', redis.call('ZSCORE', TIMERS, contact))
    redis.call('ZREM', TIMERS, contact)
    make_ready(contact)
    moved = moved + 1
  end
end

-- When more are due than may move, half of the room is for the latest, because a person may be writing right now.
if redis.call('ZCOUNT', TIMERS, '-inf', virtual) > room then
  move(redis.call('ZREVRANGEBYSCORE', TIMERS, virtual, '-inf', 'LIMIT', 0, math.floor(room / 2)))
end
move(redis.call('ZRANGEBYSCORE', TIMERS, '-inf', virtual, 'LIMIT', 0, room - moved))

-- The clock jumped back: no mail waits for so long.
local furthest = redis.call('ZREVRANGE', WAITING, 0, 0, 'WITHSCORES')
if furthest[2] and tonumber(furthest[2]) > virtual + LONGEST_WAIT then
  for _, contact in ipairs(redis.call('ZRANGEBYSCORE', WAITING, virtual + LONGEST_WAIT, '+inf', 'LIMIT', 0, 1000)) do
    redis.call('ZADD', WAITING, virtual, contact)
  end
end
local waiting = redis.call('ZRANGEBYSCORE', WAITING, '-inf', virtual, 'LIMIT', 0, limit)
for _, contact in ipairs(waiting) do
  redis.call('ZREM', WAITING, contact)
  make_ready(contact)
end
return moved + #waiting
