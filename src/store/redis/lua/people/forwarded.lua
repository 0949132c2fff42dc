-- These losers' mail is forwarded now. KEYS[1]: `prosa:{a:<account>}:`. ARGV: winner, losers ….
local people, field = KEYS[1] .. 'people', ARGV[1] .. ':p'
local done, left = {}, {}
for i = 2, #ARGV do done[ARGV[i]] = true end
for loser in string.gmatch(redis.call('HGET', people, field) or '', '%S+') do
  if not done[loser] then left[#left + 1] = loser end
end
if #left > 0 then redis.call('HSET', people, field, table.concat(left, ' ')) else redis.call('HDEL', people, field) end
return 1
