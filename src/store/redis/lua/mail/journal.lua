-- ARGV: contact, account, limit. Answers {wrapped key, record, …}, newest first, or nothing.
local f = redis.call('HMGET', of('s', ARGV[1]), 'a', 'k')
if f[1] ~= ARGV[2] or not f[2] then return {} end
local answer = redis.call('LRANGE', of('j', ARGV[1]), 0, tonumber(ARGV[3]) - 1)
table.insert(answer, 1, f[2])
return answer
