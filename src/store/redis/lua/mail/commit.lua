-- One turn becomes a fact: session, consumed mail, timers, journal, effects, lease. ARGV: contact, account, epoch, rev,
-- applied, seq of the head as claimed or '', sealed session or '', due or '' or 'same', blameless, again at or '', journal
-- limit, number of journal lines, lines …, token, number of effects, then per effect: id, class, scope, ordered, not before,
-- sealed payload or '' for one that the last line has, turn or '', lease ms of one that is born in flight or ''. Answers {0}
-- when fenced, else {1, rev, left, now, begun id, …}.
local contact, account, applied = ARGV[1], ARGV[2], tonumber(ARGV[5])
local s, m = of('s', contact), of('m', contact)
local f = redis.call('HMGET', s, 'a', 'e', 'v', 'w', 'n', 'x', 'f', 'jn')
local rev = tonumber(f[3] or '0')
local epoch, _, failed = read_lease(f[2])
if f[1] ~= account or epoch ~= ARGV[3] or rev ~= tonumber(ARGV[4]) then return {0} end
local lines = tonumber(ARGV[12])
local token_at = 13 + lines
local token, effects = ARGV[token_at], tonumber(ARGV[token_at + 1])

local held
local function is_held(class)
  held = held or ' ' .. (redis.call('HGET', COUNT, 'hold') or '') .. ' '
  return held ~= '  ' and string.find(held, ' ' .. class .. ' ', 1, true) ~= nil
end
-- Of the effect in ARGV[a], …: whether it is begun here, if no other of its contact stands before it.
local function begins(a)
  return ARGV[a + 7] ~= '' and tonumber(ARGV[a + 4]) <= NOW and not is_held(ARGV[a + 1])
end
local was_alone = inline_of(f[6])
-- Its payload may be in a line that this turn writes over.
if was_alone and effects + lines > 0 then unfold(contact) end
local fields, number = {}, f[8]
for n = math.max(13, token_at - tonumber(ARGV[11])), token_at - 1 do
  number = add_line(fields, number, ARGV[n], tonumber(ARGV[11]))
end
local alone = token_at + 2
local is_alone = effects == 1 and not f[7] and not was_alone and begins(alone)
if is_alone then
  local sealed = ARGV[alone + 5]
  if sealed == '' then sealed = fields[#fields - 3] end
  fields[#fields + 1] = 'x'
  fields[#fields + 1] = inline(ARGV[alone], ARGV[alone + 1], ARGV[alone + 2], ARGV[alone + 3], sealed, ARGV[alone + 6],
    token .. '.0')
end

-- Whether it is the mail that was claimed shows once it is taken; other mail is put back.
local mail = applied > 0 and redis.call('LPOP', m, ARGV[5]) or {}
if #mail < applied or applied > 0 and ARGV[6] ~= '' and seq_of(mail[1]) ~= ARGV[6] then
  for n = #mail, 1, -1 do redis.call('LPUSH', m, mail[n]) end
  return {0}
end
-- Mail is numbered without a gap.
local left = applied > 0 and f[5] - seq_of(mail[applied]) or redis.call('LLEN', m)

-- A clean release, or a claim handed back, is no failed try; a back-off is one.
if applied > 0 then failed = 0
elseif ARGV[10] == '' or ARGV[9] == '1' then failed = math.max(0, failed - 1) end
-- Written right after the mail is taken: a key further down that cannot be read must not part the mail from its turn.
local over = '-' .. epoch .. ':' .. int(failed)
if ARGV[7] ~= '' then
  rev = rev + 1
  write_session(contact, account, rev, ARGV[7], 'e', over, unpack(fields))
else redis.call('HSET', s, 'e', over, unpack(fields)) end
count('applied', applied)

if left > 0 and ARGV[10] ~= '' then
  redis.call('ZADD', WAITING, ARGV[10], contact)
  redis.call('HSET', s, 'w', 1)
elseif left == 0 and f[4] then
  redis.call('ZREM', WAITING, contact)
  redis.call('HDEL', s, 'w')
end
set_timer(contact, ARGV[8])
if left > 0 and ARGV[10] == '' then
  redis.call('ZADD', READY, NOW, contact)
  wake('t')
else redis.call('ZREM', READY, contact) end

local answer = {1, rev, left, NOW}
for n = 0, effects - 1 do
  local a = token_at + 2 + n * 8
  local id, ordered = ARGV[a], ARGV[a + 3] == '1'
  if is_alone then
    redis.call('ZADD', INLINE, int(NOW + ARGV[a + 7]), contact)
    table.insert(answer, id)
  elseif redis.call('EXISTS', effect(id)) == 0 then
    list_effect(id, contact, NOW)
    redis.call('HSET', s, 'f', 1)
    local first = not ordered or redis.call('RPUSH', of('o', contact), id) == 1
    local begun = first and begins(a)
    redis.call('HSET', effect(id), 'contact', contact, 'account', account, 'class', ARGV[a + 1], 'scope', ARGV[a + 2],
      'ordered', ARGV[a + 3], 'nb', ARGV[a + 4], 'sealed', ARGV[a + 5] ~= '' and ARGV[a + 5] or ARGV[token_at - 1], 'turn', ARGV[a + 6], 'created', NOW,
      'state', begun and 'i' or 'p', 'attempt', begun and 1 or 0, 'token', begun and token .. '.' .. n or '')
    if begun then
      redis.call('ZADD', FLIGHT, NOW + tonumber(ARGV[a + 7]), id)
      table.insert(answer, id)
    elseif first then
      offer(id)
      wake('o')
    end
  end
end
return answer
