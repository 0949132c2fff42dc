-- Writes down that this server holds the partition from now on, when it is still the one that was judged. ARGV: noted run and
-- history as they were judged or '', run, history, guarded effects known to have begun, classes to hold or ''. Answers 1 or 0.
local noted = redis.call('HMGET', COUNT, 'run', 'history', 'guarded', 'hold')
local is = server()
if (noted[1] or '') ~= ARGV[1] or (noted[2] or '') ~= ARGV[2] or is[1] ~= ARGV[3] or is[2] ~= ARGV[4] then return 0 end
local guarded = math.max(tonumber(noted[3] or '0'), tonumber(ARGV[5]))
redis.call('HSET', COUNT, 'run', is[1], 'history', is[2], 'seen', NOW, 'guarded', guarded)
if ARGV[6] ~= '' then
  -- Besides what a person holds.
  local held = ARGV[6]
  for class in string.gmatch(noted[4] or '', '%S+') do
    if not string.find(' ' .. held .. ' ', ' ' .. class .. ' ', 1, true) then held = held .. ' ' .. class end
  end
  redis.call('HSET', COUNT, 'hold', held)
end
return 1
