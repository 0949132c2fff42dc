-- Dedupe, mailbox, ready for mail of one contact, in order and as a whole; fused with the claim on demand. ARGV: contact, key
-- id, wrapped key or '' when the store had it, bounds: mailbox, dedupe ms, dedupe ids, dead letters; lease ms or '' for no
-- claim, events, solo after, end of the session the asker knows or '', number of items, then per item: account, event,
-- sealed, not before or '', '1' when the contact was found by its names, '1' for what another contact had taken in before it
-- proved to be this one, which finds room always. Answers a word per item; the last is {word} or, for what is sealed under
-- another key than the contact's, {'key', wrapped key}; 'full' ends it, and nothing behind that was looked at. A contact that
-- is leased with the last item is {'new', now, seq, epoch, rev, session | 1 when known | '', failed, all mail when more than
-- this one waits}.
local contact, key, wrapped = ARGV[1], ARGV[2], ARGV[3]
local most_mail, window, most_ids = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local ms, most = tonumber(ARGV[8]), tonumber(ARGV[12])
local s, m, known_ids = of('s', contact), of('m', contact), of('i', contact)

-- `v`, `b` and `d`, the session, are for a lease. `seq` is the number of the last mail.
local fields = {'a', 'k', 'fw', 'ix', 'e', 'v', 'b', 'd'}
local facts = redis.call('HMGET', s, unpack(fields, 1, ms and 8 or 5))
local owner, held_key, forward, epoch = facts[1], facts[2], facts[3], facts[5]
local seq, accepted, duplicate = 0, 0, 0
local changed = {}
local function change(name, value)
  changed[#changed + 1] = name
  changed[#changed + 1] = value
end

-- Remembers an event; false when it was given within the window. The same rule as `is_known`.
local function is_new(event)
  if redis.call('HEXISTS', of('d', contact), event) == 1 then return false end
  if redis.call('ZADD', known_ids, 'NX', NOW, event) == 1 then return true end
  if tonumber(redis.call('ZSCORE', known_ids, event)) > NOW - window then return false end
  redis.call('ZADD', known_ids, NOW, event)
  return true
end
-- Whether there is room for the last id. Ids are trimmed, and their end is put off, when `ix` is a part of the window ago
-- (`slack_of`), and for a first id, whose set has no end yet.
local function keep_ids()
  local slack, ids = slack_of(window), redis.call('ZCARD', known_ids)
  local last = tonumber(facts[4] or '0')
  if ids == 1 or last > NOW or NOW - last >= slack then
    redis.call('ZREMRANGEBYSCORE', known_ids, '-inf', NOW - window)
    redis.call('PEXPIRE', known_ids, window + slack)
    facts[4] = NOW
    change('ix', NOW)
  end
  if ids <= most_ids then return true end
  redis.call('ZREMRANGEBYSCORE', known_ids, '-inf', NOW - window)
  return redis.call('ZCARD', known_ids) <= most_ids
end

-- Answers a word and, for mail that may be claimed at once, how many wait now.
local function store(at)
  local account, event, sealed = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  if owner and owner ~= account then return {'account'} end
  -- A key that the store had and has no longer was erased: it must not come back.
  local erased = not held_key and wrapped == ''
  -- The erasure left a mark: no contact has such a name after it. Looked for only where nothing is stored yet.
  local gone = not owner and redis.call('EXISTS', of('x', contact)) == 1
  if gone or ARGV[at + 4] == '1' and (forward or erased) then return {'moved'} end
  if erased then return {'key', ''} end
  if held_key and string.match(held_key, '^[^:]*:([^:]*):') ~= key then return {'key', held_key} end
  -- Before the id is remembered: a mailbox that cannot be read must not make the next delivery a duplicate.
  local waiting = redis.call('LLEN', m)
  if not is_new(event) then
    duplicate = duplicate + 1
    return {'duplicate'}
  end

  local handed = ARGV[at + 5] == '1'
  local room = keep_ids()
  if not room and not handed then redis.call('ZREM', known_ids, event) end
  local dies = not handed and (not room or waiting >= most_mail)
  if dies and redis.call('ZCARD', DEAD) >= tonumber(ARGV[7]) then
    redis.call('ZREM', known_ids, event)
    return {'full'}
  end

  if not owner then
    owner = account
    redis.call('HSET', s, 'a', account)
  end
  if not held_key then
    held_key = wrapped
    redis.call('HSET', s, 'k', wrapped)
  end
  accepted = accepted + 1
  if dies then
    dead_letter(contact, event, 'mailbox_full', sealed)
    return {'dead'}
  end
  seq = push(contact, NOW, event, sealed)
  if ARGV[at + 3] ~= '' then
    redis.call('ZADD', WAITING, 'LT', ARGV[at + 3], contact)
    change('w', 1)
    return {'new'}
  end
  return {'new', waiting + 1}
end

-- Leased here only if a claim would hand it out next: it is not leased, no other contact waits, and it need not come alone.
local function take(waiting)
  if not ms then
    make_ready(contact)
    return {'new'}
  end
  local due = redis.call('ZRANGEBYSCORE', READY, '-inf', NOW, 'LIMIT', 0, 2)
  local failed = tonumber(facts[7] or '0')
  -- Leased and not due: the lease runs.
  local leased = epoch and not due[1]
  if leased or due[2] or (due[1] and due[1] ~= contact) or forward or failed >= tonumber(ARGV[10]) then
    make_ready(contact)
    return {'new'}
  end
  redis.call('ZADD', READY, NOW + ms, contact)
  epoch = redis.call('HINCRBY', COUNT, 'epoch', 1)
  change('e', epoch)
  change('l', ms)
  change('b', failed + 1)
  local session = facts[8] or ''
  if ARGV[11] ~= '' and string.sub(session, -#ARGV[11]) == ARGV[11] then session = 1 end
  return {'new', NOW, seq, epoch, facts[6] or '0', session, failed,
    waiting > 1 and redis.call('LRANGE', m, 0, ARGV[9] - 1) or {}}
end

local answer = {}
for n = 1, most do
  local one = store(13 + (n - 1) * 6)
  -- The last item leases the contact with all mail before it.
  if one[2] and one[1] == 'new' then
    if n == most then one = take(one[2])
    else
      make_ready(contact)
      one = {'new'}
    end
  end
  answer[n] = one
  if one[1] == 'full' or one[1] == 'key' or one[1] == 'account' then break end
end
if #changed > 0 then redis.call('HSET', s, unpack(changed)) end
count('accepted', accepted)
count('duplicate', duplicate)
return answer
