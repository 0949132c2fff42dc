-- Drops the oldest lines of a contact's journal. ARGV: contact, account, lines that were seen, how many of those are kept.
local contact = ARGV[1]
if redis.call('HGET', of('s', contact), 'a') ~= ARGV[2] then return 0 end
local since = math.max(0, redis.call('LLEN', of('j', contact)) - tonumber(ARGV[3]))
local keep = since + tonumber(ARGV[4])
if keep == 0 then redis.call('DEL', of('j', contact)) else redis.call('LTRIM', of('j', contact), 0, keep - 1) end
return 1
