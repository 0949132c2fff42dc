-- Ends an effect in flight. ARGV: contact, account, id, token, kind (`in-place`: held, and no later message leaves), time |
-- sealed reason | job, event of the result or '', sealed result, dedupe ms, turn to hold or '', journal limit, journal line
-- or '', virtual time from which the contact's next effect waits for its turn or ''. Answers 1, 2 when an effect of the contact
-- may leave now, or 0 when the token is stale.
local contact, id, kind, detail = ARGV[1], ARGV[3], ARGV[5], ARGV[6]
local over = kind == 'done' or kind == 'failed'
local s = of('s', contact)
local f = redis.call('HMGET', s, 'a', 'x', 'jn')
local alone = inline_of(f[2])
if not over or not alone or alone[1] ~= id then alone = nil end
local mine, ordered
if alone then mine = f[1] == ARGV[2] and alone[7] == ARGV[4]
else mine, ordered = is_mine(id, ARGV[2], contact, ARGV[4]) end
if not mine then return 0 end
-- First: should a key further down not be readable, the end comes again and the result is known.
if ARGV[7] ~= '' then accept_result(contact, ARGV[7], ARGV[8], tonumber(ARGV[9])) end
local fields = {}
if ARGV[12] ~= '' then add_line(fields, f[3], ARGV[12], tonumber(ARGV[11])) end
if alone then
  redis.call('HSET', s, 'x', '', unpack(fields))
  redis.call('ZREM', INLINE, contact)
  return 1
end
local e, o = effect(id), of('o', contact)
local freed = false

-- Of the turn that is to be held only later effects: earlier ones were sent again by a person.
local behind = {}
if ARGV[10] ~= '' then
  local seen = not ordered
  for _, other in ipairs(redis.call('LRANGE', o, 0, -1)) do
    if other == id then seen = true
    elseif seen then table.insert(behind, other) end
  end
end

if over then
  drop_effect(id, contact, 'i', ordered and '1')
elseif kind == 'held' or kind == 'in-place' then
  hold(id, contact, detail, ordered and kind == 'in-place')
elseif kind == 'enqueued' then
  redis.call('HSET', e, 'state', 'q', 'job', detail)
  redis.call('HDEL', e, 'token')
  redis.call('ZREM', FLIGHT, id)
  redis.call('LREM', o, 1, id)
  redis.call('ZADD', ENQUEUED, NOW, id)
else
  local place = math.max(tonumber(redis.call('HGET', e, 'nb')), tonumber(detail))
  redis.call('HSET', e, 'state', 'p', 'nb', place)
  redis.call('HDEL', e, 'token')
  if kind == 'not_sent' then redis.call('HINCRBY', e, 'attempt', -1) end
  redis.call('ZREM', FLIGHT, id)
  if not ordered then
    offer(id)
    wake('o')
    freed = true
  end
end

for _, other in ipairs(behind) do
  local rest = redis.call('HMGET', effect(other), 'state', 'turn')
  if rest[1] == 'p' and rest[2] == ARGV[10] then
    withdraw(other)
    hold(other, contact, 'turn')
  end
end
local head = ordered and ARGV[13] ~= '' and redis.call('LINDEX', o, 0)
if head and head ~= id then
  local nb = tonumber(redis.call('HGET', effect(head), 'nb') or '0')
  if nb < tonumber(ARGV[13]) then redis.call('HSET', effect(head), 'nb', ARGV[13]) end
end
if ordered and advance(contact) then freed = true end
if #fields > 0 then redis.call('HSET', s, unpack(fields)) end
return freed and 2 or 1
