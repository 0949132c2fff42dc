-- Longer leases for effects whose calls still run; never shorter ones. ARGV: lease ms, number of effects, then per effect:
-- contact, account, id, token. Answers per effect 1, or 0 when its token is stale.
local answer = {}
for n = 1, tonumber(ARGV[2]) do
  local a = n * 4 - 1
  local mine = is_mine(ARGV[a + 2], ARGV[a + 1], ARGV[a], ARGV[a + 3])
  if mine then redis.call('ZADD', FLIGHT, 'XX', 'GT', NOW + tonumber(ARGV[1]), ARGV[a + 2]) end
  answer[n] = mine and 1 or 0
end
return answer
