-- A decision about a held or enqueued effect. ARGV: contact, account, id, action, event of the result or '', sealed result,
-- dedupe ms, sealed reason of `hold`, journal limit, journal line or '', revision that was looked at or '', held messages to
-- resend with it …. Answers 1, or 0 when it is in no such state, or not as it was looked at.
local contact, id = ARGV[1], ARGV[3]
local o, e = of('o', contact), effect(id)
local f = redis.call('HMGET', e, 'state', 'account', 'contact', 'ordered', 'rev', 'inplace')
if (f[1] ~= 'h' and f[1] ~= 'q') or f[2] ~= ARGV[2] or f[3] ~= contact then return 0 end
if ARGV[11] ~= '' and ARGV[11] ~= (f[5] or '0') then return 0 end

if ARGV[4] ~= 'resend' then
  if ARGV[4] == 'finish' then drop_effect(id, contact)
  else
    if f[1] ~= 'q' and not f[6] then return 0 end
    redis.call('ZREM', ENQUEUED, id)
    redis.call('HDEL', e, 'job')
    redis.call('HINCRBY', e, 'rev', 1)
    hold(id, contact, ARGV[8])
  end
  if f[6] then go_on(contact) end
  if ARGV[5] ~= '' then accept_result(contact, ARGV[5], ARGV[6], tonumber(ARGV[7])) end
  if ARGV[10] ~= '' then
    local fields = {}
    add_line(fields, redis.call('HGET', of('s', contact), 'jn'), ARGV[10], tonumber(ARGV[9]))
    redis.call('HSET', of('s', contact), unpack(fields))
  end
  return 1
end

local function again(one)
  redis.call('HSET', effect(one), 'state', 'p', 'attempt', 0, 'nb', 0)
  redis.call('HDEL', effect(one), 'reason', 'job', 'inplace')
  redis.call('HINCRBY', effect(one), 'rev', 1)
  redis.call('ZREM', HELD, one)
  redis.call('ZREM', ENQUEUED, one)
end

-- Where it was asked for: also what is on its way, or waits to be tried again, may come to rest or go back to waiting. One
-- that kept its place stands there already.
local born
local function put_in_order(one)
  if not born then
    born = {}
    for n, other in ipairs(redis.call('LRANGE', of('f', contact), 0, -1)) do born[other] = n end
  end
  redis.call('LREM', o, 0, one)
  for _, other in ipairs(redis.call('LRANGE', o, 0, -1)) do
    if (born[other] or 0) > (born[one] or 0) then return redis.call('LINSERT', o, 'BEFORE', other, one) end
  end
  redis.call('RPUSH', o, one)
end

again(id)
if f[4] ~= '1' then
  offer(id)
else
  local head = redis.call('LINDEX', o, 0)
  if head then withdraw(head) end
  put_in_order(id)
  for i = 12, #ARGV do
    local other = redis.call('HMGET', effect(ARGV[i]), 'state', 'account', 'contact', 'ordered')
    if other[1] == 'h' and other[2] == ARGV[2] and other[3] == contact and other[4] == '1' then
      again(ARGV[i])
      put_in_order(ARGV[i])
    end
  end
  go_on(contact)
end
wake('o')
return 1
