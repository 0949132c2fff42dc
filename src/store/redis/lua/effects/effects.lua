-- Effects, oldest first. ARGV: account or '', contact or '', state letter or '', limit. Looks through 10,000 at most. Answers
-- what `shown` does, ….
local answer, limit = {}, tonumber(ARGV[4])
local set = ({h = HELD, i = FLIGHT, q = ENQUEUED})[ARGV[3]] or EFFECTS
if ARGV[2] ~= '' then unfold(ARGV[2]) else unfold_all('-inf', '+inf', limit) end
local offset = 0
while #answer < limit and offset < 10000 do
  local ids
  if ARGV[2] ~= '' then ids = redis.call('LRANGE', of('f', ARGV[2]), offset, offset + 99)
  else ids = redis.call('ZRANGE', set, offset, offset + 99) end
  for _, id in ipairs(ids) do
    if #answer == limit then break end
    local is = redis.call('HMGET', effect(id), 'account', 'state')
    if (ARGV[1] == '' or is[1] == ARGV[1]) and (ARGV[3] == '' or is[2] == ARGV[3]) then
      table.insert(answer, shown(id))
    end
  end
  if #ids < 100 then break end
  offset = offset + 100
end
return answer
