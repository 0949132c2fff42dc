-- A page of held or enqueued effects, in the order in which they became so. ARGV: score and id after which it begins or '',
-- limit, state letter. Answers {since when, then what `shown` does}, ….
local answer, limit = {}, tonumber(ARGV[3])
local from, offset = ARGV[1] == '' and '-inf' or ARGV[1], 0
while #answer < limit do
  local ids = redis.call('ZRANGEBYSCORE', SETS[ARGV[4]], from, '+inf', 'WITHSCORES', 'LIMIT', offset, 100)
  for i = 1, #ids, 2 do
    local after = ARGV[1] == '' or tonumber(ids[i + 1]) > tonumber(ARGV[1]) or is_before(ARGV[2], ids[i])
    if after and #answer < limit then
      local e = shown(ids[i])
      table.insert(e, 1, ids[i + 1])
      table.insert(answer, e)
    end
  end
  if #ids < 200 then break end
  offset = offset + 100
end
return answer
