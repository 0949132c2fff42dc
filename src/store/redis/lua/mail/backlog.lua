-- What waits in this partition. Answers {now, ready, oldest score or 0, effects, in flight, held, enqueued, dead letters,
-- accepted, duplicate, applied, dead, queued, ready or leased}. Every contact with mail is ready, leased or waiting, so
-- `queued` is the sum of their mailboxes. Past 5,000 of them the sum would block Redis for too long, and is computed from the
-- counters.
local oldest = redis.call('ZRANGE', READY, 0, 0, 'WITHSCORES')
local c = redis.call('HMGET', COUNT, 'accepted', 'duplicate', 'applied', 'dead')
for i = 1, 4 do c[i] = tonumber(c[i] or '0') end
local queued = c[1] - c[3] - c[4]
if redis.call('ZCARD', READY) + redis.call('ZCARD', WAITING) <= 5000 then
  queued = 0
  local seen = {}
  for _, set in ipairs({READY, WAITING}) do
    for _, contact in ipairs(redis.call('ZRANGE', set, 0, -1)) do
      if not seen[contact] then queued = queued + redis.call('LLEN', of('m', contact)) end
      seen[contact] = true
    end
  end
end
return {NOW, redis.call('ZCOUNT', READY, '-inf', NOW), tonumber(oldest[2] or '0'), redis.call('ZCARD', EFFECTS),
  redis.call('ZCARD', FLIGHT), redis.call('ZCARD', HELD), redis.call('ZCARD', ENQUEUED), redis.call('ZCARD', DEAD),
  c[1], c[2], c[3], c[4], queued, redis.call('ZCARD', READY)}
