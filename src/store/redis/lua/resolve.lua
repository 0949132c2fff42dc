-- A decision about a held or enqueued effect. ARGV: contact, account, id, action, event of the result or '', sealed result,
-- dedupe ms, sealed reason of `hold`, journal limit, journal record or '', revision that was looked at or '', held messages
-- to resend behind it …. Answers 1, or 0 when there is nothing to decide, or another matter than was looked at.
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
  if ARGV[10] ~= '' then write_journal(contact, 10, 10, tonumber(ARGV[9])) end
  return 1
end

local function again(one)
  redis.call('HSET', effect(one), 'state', 'p', 'attempt', 0, 'nb', 0)
  redis.call('HDEL', effect(one), 'reason', 'job', 'inplace')
  redis.call('HINCRBY', effect(one), 'rev', 1)
  redis.call('ZREM', HELD, one)
  redis.call('ZREM', ENQUEUED, one)
end

-- First of its contact again: it is the oldest of what waits, but for what was asked for before it and rests in its place.
local function place_ahead(waiting)
  local function born(one) return redis.call('LPOS', of('f', contact), one) or 0 end
  local own, after = born(id), nil
  for _, other in ipairs(waiting) do
    if not redis.call('HGET', effect(other), 'inplace') or born(other) > own then break end
    after = other
  end
  if after then redis.call('LINSERT', o, 'AFTER', after, id)
  else redis.call('LPUSH', o, id) end
end

again(id)
if f[4] ~= '1' then
  offer(id)
else
  local waiting = redis.call('LRANGE', o, 0, -1)
  if waiting[1] then withdraw(waiting[1]) end
  if not f[6] then place_ahead(waiting) end
  for i = #ARGV, 12, -1 do
    local other = redis.call('HMGET', effect(ARGV[i]), 'state', 'account', 'contact', 'ordered')
    if other[1] == 'h' and other[2] == ARGV[2] and other[3] == contact and other[4] == '1' then
      again(ARGV[i])
      redis.call('LREM', o, 1, ARGV[i])
      redis.call('LINSERT', o, 'AFTER', id, ARGV[i])
    end
  end
  go_on(contact)
end
wake('o')
return 1
