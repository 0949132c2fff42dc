-- What `forward` gave is in the winner's mailbox now. ARGV: contact, account, rev of that session, number of the last mail or
-- 0.
local contact = ARGV[1]
local s, m = of('s', contact), of('m', contact)
if (redis.call('HGET', s, 'v') or '0') == ARGV[3] then
  redis.call('HDEL', s, 'd')
  redis.call('ZREM', P .. 'sessions:' .. ARGV[2], contact)
end
local last, gone = tonumber(ARGV[4]), 0
for _, entry in ipairs(redis.call('LRANGE', m, 0, -1)) do
  if tonumber(seq_of(entry)) > last then break end
  gone = gone + 1
end
if gone > 0 then
  redis.call('LTRIM', m, gone, -1)
  end_lease(contact, 0)
  count('applied', gone)
end
if redis.call('LLEN', m) == 0 then redis.call('ZREM', READY, contact) end
return gone
