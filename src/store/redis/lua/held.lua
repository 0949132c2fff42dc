-- A page of what is held, as it came to rest. ARGV: score and id after which it begins or '', limit. Answers {rested at, id,
-- account, contact, class, scope, state, attempt, not before, created, sealed, reason, job, rev, key}, ….
local answer, limit = {}, tonumber(ARGV[3])
local from, offset = ARGV[1] == '' and '-inf' or ARGV[1], 0
while #answer < limit do
  local ids = redis.call('ZRANGEBYSCORE', HELD, from, '+inf', 'WITHSCORES', 'LIMIT', offset, 100)
  for i = 1, #ids, 2 do
    local after = ARGV[1] == '' or tonumber(ids[i + 1]) > tonumber(ARGV[1]) or is_before(ARGV[2], ids[i])
    if after and #answer < limit then
      local e = redis.call('HMGET', effect(ids[i]), 'account', 'contact', 'class', 'scope', 'state', 'attempt', 'nb',
        'created', 'sealed', 'reason', 'job', 'rev')
      table.insert(e, 1, ids[i])
      table.insert(e, 1, ids[i + 1])
      for n = 12, 13 do e[n] = e[n] or '' end
      e[14] = e[14] or '0'
      e[15] = redis.call('HGET', of('s', e[4]), 'k')
      table.insert(answer, e)
    end
  end
  if #ids < 200 then break end
  offset = offset + 100
end
return answer
