-- Dedupe, mailbox, ready; fused with the claim on demand. ARGV: contact, account, event, sealed, key id, wrapped key or ''
-- when the store had it, not before or '', bounds: mailbox, dedupe ms, dedupe ids, dead letters; '1' when the contact was
-- found by its names, lease ms or '' for no claim, events, solo after, end of the session the asker knows or ''. Answers
-- {word}, {'key', wrapped key} when sealed under another key than the contact's, or for a contact that is leased at once
-- {'new', now, seq, epoch, rev, session | 1 when known | '', barren, all mail when more than this one waits}.
local contact, account, event, sealed = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local s, known_ids = of('s', contact), of('i', contact)
local facts = redis.call('HMGET', s, 'a', 'k', 'fw')
if facts[1] and facts[1] ~= account then return {'account'} end
-- A key the store had and has no more was erased: it must not come back.
local erased = not facts[2] and ARGV[6] == ''
-- Whoever never knew its key is told by what the erasure left; looked for only where nothing is stored yet.
local gone = erased or not facts[1] and ARGV[12] == '1' and redis.call('EXISTS', of('x', contact)) == 1
if ARGV[12] == '1' and (facts[3] or gone) then return {'moved'} end
if erased then return {'key', ''} end
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
local seq, queued = push(contact, NOW, event, sealed)
if ARGV[7] ~= '' then
  redis.call('ZADD', WAITING, 'LT', ARGV[7], contact)
  return {'new'}
end

-- Leased here only if a claim would hand it out next: nobody has it, nobody else waits, and it need not come alone.
local ms = tonumber(ARGV[13])
local due = ms and redis.call('ZRANGEBYSCORE', READY, '-inf', NOW, 'LIMIT', 0, 2) or {}
local f = ms and redis.call('HMGET', s, 'v', 'd', 'b')
local barren = ms and tonumber(f[3] or '0')
local leased = tonumber(redis.call('ZSCORE', READY, contact) or '0') > NOW
if not ms or leased or due[2] or (due[1] and due[1] ~= contact) or facts[3] or barren >= tonumber(ARGV[15]) then
  make_ready(contact)
  return {'new'}
end
redis.call('ZADD', READY, NOW + ms, contact)
local epoch = redis.call('HINCRBY', COUNT, 'epoch', 1)
redis.call('HSET', s, 'e', epoch, 'l', ms, 'b', barren + 1)
local session = f[2] or ''
if ARGV[16] ~= '' and string.sub(session, -#ARGV[16]) == ARGV[16] then session = 1 end
return {'new', NOW, seq, epoch, f[1] or '0', session, barren,
  queued > 1 and redis.call('LRANGE', of('m', contact), 0, ARGV[14] - 1) or {}}
