-- Holds a class for a person, or releases it. ARGV: class, 1 or 0. Answers 1.
local left = {}
for class in string.gmatch(redis.call('HGET', COUNT, 'hold') or '', '%S+') do
  if class ~= ARGV[1] then table.insert(left, class) end
end
if ARGV[2] == '1' then table.insert(left, ARGV[1]) end
if #left > 0 then redis.call('HSET', COUNT, 'hold', table.concat(left, ' '))
else redis.call('HDEL', COUNT, 'hold') end
if ARGV[2] == '0' then wake('o') end
return 1
