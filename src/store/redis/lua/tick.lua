-- Due timers become mail, mail that waited becomes ready. ARGV: offset ms, limit. Answers how many.
local virtual, limit = NOW + tonumber(ARGV[1]), ARGV[2]
local due = redis.call('ZRANGEBYSCORE', TIMERS, '-inf', virtual, 'WITHSCORES', 'LIMIT', 0, limit)
for i = 1, #due, 2 do
  count('accepted', 1)
  push(due[i], NOW, 'tick', due[i + 1])
  redis.call('ZREM', TIMERS, due[i])
  make_ready(due[i])
end
local waiting = redis.call('ZRANGEBYSCORE', WAITING, '-inf', virtual, 'LIMIT', 0, limit)
for _, contact in ipairs(waiting) do
  redis.call('ZREM', WAITING, contact)
  make_ready(contact)
end
return #due / 2 + #waiting
