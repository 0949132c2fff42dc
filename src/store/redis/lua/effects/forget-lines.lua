-- Drops the oldest lines of a contact's journal. ARGV: contact, account, lines that were seen, how many of those are kept,
-- journal limit.
local contact = ARGV[1]
local s = of('s', contact)
if redis.call('HGET', s, 'a') ~= ARGV[2] then return 0 end
-- Its payload may be in one of them.
unfold(contact)
local lines, gone = {}, {}
for _, name in ipairs(redis.call('HKEYS', s)) do
  local n = tonumber(string.match(name, '^j(%d+)$'))
  -- Of a longer journal that was kept before.
  if n and n >= tonumber(ARGV[5]) then gone[#gone + 1] = name
  elseif n then lines[#lines + 1] = {name, tonumber(string.match(redis.call('HGET', s, name), '^%d+'))} end
end
table.sort(lines, function(one, other) return one[2] > other[2] end)
for n = math.max(0, #lines - tonumber(ARGV[3])) + tonumber(ARGV[4]) + 1, #lines do gone[#gone + 1] = lines[n][1] end
if #gone > 0 then redis.call('HDEL', s, unpack(gone)) end
return 1
