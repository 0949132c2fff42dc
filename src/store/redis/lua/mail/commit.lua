-- One turn becomes a fact: session, consumed mail, timers, journal, effects, lease. ARGV: contact, account, epoch, rev,
-- applied, seq of the head as claimed or '', sealed session or '', due or '' or 'same', blameless, again at or '', journal limit, number of
-- journal records, records …, token, number of effects, then per effect: id, class, scope, ordered, not before, sealed, turn
-- or '', lease ms of one that is born in flight or ''. Answers {0} when fenced, else {1, rev, left, now, begun id, …}.
local contact, account, applied = ARGV[1], ARGV[2], tonumber(ARGV[5])
local s, m = of('s', contact), of('m', contact)
local f = redis.call('HMGET', s, 'a', 'e', 'v', 'b')
local rev = tonumber(f[3] or '0')
local length = redis.call('LLEN', m)
if f[1] ~= account or f[2] ~= ARGV[3] or rev ~= tonumber(ARGV[4]) or applied > length then return {0} end
if applied > 0 and ARGV[6] ~= '' and split(redis.call('LINDEX', m, 0)) ~= ARGV[6] then return {0} end
local journals = tonumber(ARGV[12])
local token_at = 13 + journals
local token, effects = ARGV[token_at], tonumber(ARGV[token_at + 1])

if ARGV[7] ~= '' then
  rev = rev + 1
  write_session(contact, account, rev, ARGV[7])
end
if applied > 0 then
  redis.call('LTRIM', m, applied, -1)
  count('applied', applied)
end
local left = length - applied

set_timer(contact, ARGV[8])

-- A clean release, or a claim handed back, is no failed try; a back-off is one.
if applied > 0 then redis.call('HDEL', s, 'b')
elseif ARGV[10] == '' or ARGV[9] == '1' then redis.call('HSET', s, 'b', math.max(0, tonumber(f[4] or '0') - 1)) end

if left == 0 then redis.call('ZREM', WAITING, contact)
elseif ARGV[10] ~= '' then redis.call('ZADD', WAITING, ARGV[10], contact) end
redis.call('HDEL', s, 'e')
if left > 0 and ARGV[10] == '' then
  redis.call('ZADD', READY, NOW, contact)
  wake('t')
else redis.call('ZREM', READY, contact) end

write_journal(contact, 13, 12 + journals, tonumber(ARGV[11]))

local held
local function is_held(class)
  held = held or ' ' .. (redis.call('HGET', COUNT, 'hold') or '') .. ' '
  return held ~= '  ' and string.find(held, ' ' .. class .. ' ', 1, true) ~= nil
end

local answer = {1, rev, left, NOW}
for n = 0, effects - 1 do
  local a = token_at + 2 + n * 8
  local id, ordered = ARGV[a], ARGV[a + 3] == '1'
  if redis.call('EXISTS', effect(id)) == 0 then
    redis.call('HSET', effect(id), 'contact', contact, 'account', account, 'class', ARGV[a + 1], 'scope', ARGV[a + 2],
      'ordered', ARGV[a + 3], 'nb', ARGV[a + 4], 'sealed', ARGV[a + 5], 'turn', ARGV[a + 6], 'state', 'p', 'attempt', 0,
      'created', NOW)
    redis.call('ZADD', EFFECTS, NOW, id)
    redis.call('RPUSH', of('f', contact), id)
    local first = not ordered or redis.call('RPUSH', of('o', contact), id) == 1
    if first and ARGV[a + 7] ~= '' and tonumber(ARGV[a + 4]) <= NOW and not is_held(ARGV[a + 1]) then
      lease(id, contact, token .. '.' .. n, tonumber(ARGV[a + 7]), 1)
      table.insert(answer, id)
    elseif first then
      offer(id)
      wake('o')
    end
  end
end
return answer
