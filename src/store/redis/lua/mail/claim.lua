-- Leases due contacts. ARGV: contacts, events, lease ms, solo after, mode. A contact with too many claims without progress is
-- only handed out in mode 'solo', which hands out one alone: the first due, since a contact may have been released since it was
-- looked for. Answers {more due?, solo waiting?, claim, claim, …}.
local contacts, events, ms = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local solo_after, solo = tonumber(ARGV[4]), ARGV[5] == 'solo'
-- The clock jumped back: no lease is that long, so these contacts are due. A holder that is alive is fenced by the epoch.
local AHEAD = 60000
local last = redis.call('ZREVRANGE', READY, 0, 0, 'WITHSCORES')
if last[2] and tonumber(last[2]) > NOW + AHEAD then
  for _, contact in ipairs(redis.call('ZRANGEBYSCORE', READY, NOW + AHEAD, '+inf', 'LIMIT', 0, 1000)) do
    redis.call('ZADD', READY, NOW, contact)
  end
end
-- Looks past the contacts that must come alone, up to a bound.
local due = redis.call('ZRANGEBYSCORE', READY, '-inf', NOW, 'LIMIT', 0, contacts + 50)
local answer = {0, 0}
local taken = 0

for _, contact in ipairs(due) do
  if taken >= contacts then
    answer[1] = 1
    break
  end
  local s = of('s', contact)
  if redis.call('LLEN', of('m', contact)) == 0 then
    redis.call('ZREM', READY, contact)
    end_lease(contact)
  else
    local f = redis.call('HMGET', s, 'a', 'v', 'k', 'd', 'fw', 'e')
    local _, last, failed = read_lease(f[6])
    if failed >= solo_after and not solo then
      answer[2] = 1
    else
      local epoch = new_epoch(last)
      redis.call('HSET', s, 'e', epoch .. ':' .. failed + 1)
      redis.call('ZADD', READY, NOW + ms, contact)
      table.insert(answer, {contact, f[1], epoch, f[2] or '0', f[3], f[4] or '', f[5] or '', failed,
        redis.call('LRANGE', of('m', contact), 0, events - 1)})
      taken = taken + 1
      if solo then break end
    end
  end
end
return answer
