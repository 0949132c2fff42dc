-- ARGV: contact, account. Answers {rev, changed, wrapped key, sealed, queued}; for a merged contact only the winner; or
-- nothing.
local f = redis.call('HMGET', of('s', ARGV[1]), 'a', 'v', 'u', 'k', 'd', 'fw')
if f[1] ~= ARGV[2] then return {} end
if f[6] then return {f[6]} end
if not f[5] then return {} end
return {f[2], f[3], f[4], f[5], redis.call('LLEN', of('m', ARGV[1]))}
