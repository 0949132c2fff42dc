-- Effects as they rest, oldest first. ARGV: account or '', contact or '', state letter or '', limit. Looks through at most
-- 10,000. Answers {id, account, contact, class, scope, state, attempt, not before, created, sealed, reason, job, rev, key}, ….
local answer, limit = {}, tonumber(ARGV[4])
local set = ({h = HELD, i = FLIGHT, q = ENQUEUED})[ARGV[3]] or EFFECTS
local offset = 0
while #answer < limit and offset < 10000 do
  local ids
  if ARGV[2] ~= '' then ids = redis.call('LRANGE', of('f', ARGV[2]), offset, offset + 99)
  else ids = redis.call('ZRANGE', set, offset, offset + 99) end
  for _, id in ipairs(ids) do
    if #answer == limit then break end
    local e = redis.call('HMGET', effect(id), 'account', 'contact', 'class', 'scope', 'state', 'attempt', 'nb', 'created',
      'sealed', 'reason', 'job', 'rev')
    if (ARGV[1] == '' or e[1] == ARGV[1]) and (ARGV[3] == '' or e[5] == ARGV[3]) then
      table.insert(e, 1, id)
      for i = 11, 12 do e[i] = e[i] or '' end
      e[13] = e[13] or '0'
      e[14] = redis.call('HGET', of('s', e[3]), 'k')
      table.insert(answer, e)
    end
  end
  if #ids < 100 then break end
  offset = offset + 100
end
return answer
