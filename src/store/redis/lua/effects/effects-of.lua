-- A page of a contact's effects, the latest first. ARGV: contact, account, where the last page stopped or '', state letters or
-- '' for all, 1 for only those that were tried or '', limit. Looks at 1,000 at most. Answers {where it stopped or 0, what
-- `shown` does, …}. It goes backwards, because the list grows only at its end and may be shortened anywhere, so earlier entries
-- keep their order.
unfold(ARGV[1])
local list, account, states = of('f', ARGV[1]), ARGV[2], ARGV[4]
local at = tonumber(ARGV[3]) or redis.call('LLEN', list)
local answer, most, least = {0}, tonumber(ARGV[6]) + 1, math.max(0, at - 1000)
while at > least and #answer < most do
  local from = math.max(least, at - 100)
  local ids = redis.call('LRANGE', list, from, at - 1)
  at = from + #ids
  while at > from and #answer < most do
    local id = ids[at - from]
    at = at - 1
    local e = redis.call('HMGET', effect(id), 'account', 'state', 'attempt')
    if e[1] == account and (states == '' or string.find(states, e[2], 1, true))
      and (ARGV[5] == '' or tonumber(e[3]) > 0) then
      table.insert(answer, shown(id))
    end
  end
end
answer[1] = at
return answer
