-- From now on mail of this contact is handed out with the winner's name on it, and no turn of it is committed. ARGV: contact,
-- account, winner. Answers {wrapped key or '', rev, sealed session or '', all mail …} to be handed over.
local contact = ARGV[1]
local s = of('s', contact)
-- Erased since it was asked for.
if redis.call('HEXISTS', s, 'a') == 0 and redis.call('EXISTS', of('x', contact)) == 1 then return {''} end
redis.call('HSETNX', s, 'a', ARGV[2])
redis.call('HSET', s, 'fw', ARGV[3])
end_lease(contact)
redis.call('ZREM', TIMERS, contact)
redis.call('ZREM', WAITING, contact)
redis.call('ZREM', READY, contact)
local mail = redis.call('LRANGE', of('m', contact), 0, -1)
-- The process that hands it over may die: then whoever claims it forwards it.
if #mail > 0 then make_ready(contact) end
local f = redis.call('HMGET', s, 'k', 'v', 'd')
local answer = {f[1] or '', f[2] or '0', f[3] or ''}
for _, entry in ipairs(mail) do answer[#answer + 1] = entry end
return answer
