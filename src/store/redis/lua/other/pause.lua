-- KEYS[1]: `prosa:pauses`. ARGV: scope, reason, until or '', 1 to take only the place of the reasons that follow, reasons …. An entry is
-- `since|until|reason`. Answers 1 when it is new.
local clock = redis.call('TIME')
local old = redis.call('HGET', KEYS[1], ARGV[1])
if old and ARGV[4] == '1' then
  local reason, weaker = string.match(old, '^%d+|%d*|(.*)$'), false
  for i = 5, #ARGV do weaker = weaker or ARGV[i] == reason end
  if not weaker then return 0 end
end
local since = old and string.match(old, '^(%d+)|') or (clock[1] * 1000 + math.floor(clock[2] / 1000))
redis.call('HSET', KEYS[1], ARGV[1], since .. '|' .. ARGV[3] .. '|' .. ARGV[2])
return old and 0 or 1
