-- A page of sessions, latest changed first. ARGV: account or '', score and member after which it begins or '', limit.
-- Answers {contact, account, rev, changed, wrapped key, sealed, queued}, …, of each account at most `limit`.
local answer, limit = {}, tonumber(ARGV[4])
local accounts = ARGV[1] == '' and redis.call('SMEMBERS', P .. 'accounts') or {ARGV[1]}
for _, account in ipairs(accounts) do
  local taken, offset = 0, 0
  local set = P .. 'sessions:' .. account
  local from = ARGV[2] == '' and '+inf' or ARGV[2]
  while taken < limit do
    local rows = redis.call('ZREVRANGEBYSCORE', set, from, '-inf', 'WITHSCORES', 'LIMIT', offset, limit)
    for i = 1, #rows, 2 do
      local contact = rows[i]
      local after = ARGV[2] == '' or tonumber(rows[i + 1]) < tonumber(ARGV[2]) or is_before(contact, ARGV[3])
      if after and taken < limit then
        local f = redis.call('HMGET', of('s', contact), 'v', 'u', 'k', 'd')
        table.insert(answer, {contact, account, f[1], f[2], f[3], f[4], redis.call('LLEN', of('m', contact))})
        taken = taken + 1
      end
    end
    if #rows < 2 * limit then break end
    offset = offset + limit
  end
end
return answer
