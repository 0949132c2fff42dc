-- Dedupe, mailbox, ready. ARGV: contact, account, event, sealed, key id, wrapped key or '' when the store had it, not before or '', bounds: mailbox,
-- dedupe ms, dedupe ids, dead letters. Answers {word} or {'key', wrapped key}: sealed under another key than the contact's.
local contact, account, event, sealed = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local s, known_ids = of('s', contact), of('i', contact)
local facts = redis.call('HMGET', s, 'a', 'k')
if facts[1] and facts[1] ~= account then return {'account'} end
-- A key the store had and has no more was erased: it must not come back.
if not facts[2] and ARGV[6] == '' then return {'key', ''} end
if facts[2] and string.match(facts[2], '^[^:]*:([^:]*):') ~= ARGV[5] then return {'key', facts[2]} end
local window = tonumber(ARGV[9])
if is_known(contact, event, window) then
  count('duplicate', 1)
  return {'duplicate'}
end

redis.call('ZREMRANGEBYSCORE', known_ids, '-inf', NOW - window)
local room = redis.call('ZCARD', known_ids) < tonumber(ARGV[10])
local dies = not room or redis.call('LLEN', of('m', contact)) >= tonumber(ARGV[8])
if dies and redis.call('ZCARD', DEAD) >= tonumber(ARGV[11]) then return {'full'} end

if not facts[1] then redis.call('HSET', s, 'a', account) end
if not facts[2] then redis.call('HSET', s, 'k', ARGV[6]) end
count('accepted', 1)
if room then remember(contact, event) end
if dies then
  bury(contact, event, 'mailbox_full', sealed)
  return {'dead'}
end
push(contact, NOW, event, sealed)
if ARGV[7] == '' then make_ready(contact)
else redis.call('ZADD', WAITING, 'LT', ARGV[7], contact) end
return {'new'}
