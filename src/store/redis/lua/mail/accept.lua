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

-- `v` and `d`, the session, are for a lease.
local fields = {'a', 'k', 'fw', 'n', 'ix', 'e', 'dl', 'v', 'd'}
local facts = redis.call('HMGET', s, unpack(fields, 1, ms and 9 or 7))
-- Read before anything is written: a set that cannot be read must not part the mail from its contact.
local due = ms and redis.call('ZRANGEBYSCORE', READY, '-inf', NOW_TEXT, 'LIMIT', '0', '2')
local owner, held_key, forward = facts[1], facts[2], facts[3]
local seq, accepted, duplicate = tonumber(facts[4] or '0'), 0, 0
local waits_until, is_ready
local changed = {}
local function change(name, value)
  changed[#changed + 1] = name
  changed[#changed + 1] = value
end

-- Remembers an event; false when it was given within the window. The same rule as `is_known`.
local function is_new(event)
  if facts[7] and redis.call('HEXISTS', of('d', contact), event) == 1 then return false end
  if redis.call('ZADD', known_ids, 'NX', NOW_TEXT, event) == 1 then return true end
  if tonumber(redis.call('ZSCORE', known_ids, event)) > NOW - window then return false end
  redis.call('ZADD', known_ids, NOW, event)
  return true
end

-- Since their last count ids are at most as many as mail was numbered, and `beside`. That they are counted, when they were
-- trimmed and their end put off is a part of the window ago (`slack_of`) at most.
local counted, beside = string.match(facts[5] or '', '^(%d+):(%-?%d+)$')
counted, beside = tonumber(counted or '0'), tonumber(beside or '0')
local known_count = facts[5]
local function set_count(at, more)
  counted, beside = at, more
  facts[5] = counted .. ':' .. beside
end
-- Whether there is room for the last id.
local function keep_ids()
  if counted <= NOW and NOW - counted < slack_of(window) and beside + seq <= most_ids then return true end
  redis.call('ZREMRANGEBYSCORE', known_ids, '-inf', NOW - window)
  redis.call('PEXPIRE', known_ids, window + slack_of(window))
  local ids = redis.call('ZCARD', known_ids)
  set_count(NOW, ids - seq)
  return ids <= most_ids
end
local function forget(event)
  redis.call('ZREM', known_ids, event)
  -- An empty set loses its end.
  if redis.call('EXISTS', known_ids) == 0 then set_count(0, 0) end
end

-- An event whose id is remembered and that is not stored yet.
local pending

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
  if not is_new(event) then
    duplicate = duplicate + 1
    return {'duplicate'}
  end
  pending = event

  local handed = ARGV[at + 5] == '1'
  local room, waiting = keep_ids() or handed, 0
  if not owner then
    owner = account
    redis.call('HSET', s, 'a', account)
  end
  if not held_key then
    held_key = wrapped
    redis.call('HSET', s, 'k', wrapped)
  end
  if room then
    waiting = redis.call('RPUSH', m, int(seq + 1) .. '|' .. NOW_TEXT .. '|' .. event .. '|' .. sealed)
  end
  local dies = not handed and (not room or waiting > most_mail)
  if dies then
    if room then redis.call('RPOP', m) end
    local full = redis.call('ZCARD', DEAD) >= tonumber(ARGV[7])
    if full or not room then forget(event) else set_count(counted, beside + 1) end
    if full then return {'full'} end
    accepted = accepted + 1
    dead_letter(contact, event, 'mailbox_full', sealed)
    return {'dead'}
  end
  accepted = accepted + 1
  seq = seq + 1
  if ARGV[at + 3] ~= '' then
    waits_until = math.min(waits_until or math.huge, tonumber(ARGV[at + 3]))
    return {'new'}
  end
  return {'new', waiting}
end

-- Leased here only if a claim would hand it out next: it is not leased, no other contact waits, and it need not come alone.
local function take(waiting)
  local leased, last, failed = read_lease(facts[6])
  -- Leased and not due: the lease runs.
  if leased and not due[1] or due[2] or due[1] and due[1] ~= contact then return nil end
  if forward or failed >= tonumber(ARGV[10]) then return nil end
  local epoch = new_epoch(last)
  change('e', int(epoch) .. ':' .. int(failed + 1))
  local session = facts[9] or ''
  if ARGV[11] ~= '' and string.sub(session, -#ARGV[11]) == ARGV[11] then session = 1 end
  return {'new', NOW, seq, epoch, facts[8] or '0', session, failed,
    waiting > 1 and redis.call('LRANGE', m, 0, ARGV[9] - 1) or {}}
end

local answer, taken = {}, nil
local ok, failure = pcall(function()
  for n = 1, most do
    local one = store(13 + (n - 1) * 6)
    pending = nil
    local waiting = one[1] == 'new' and one[2]
    if waiting then
      is_ready = true
      -- The last item leases the contact with all mail before it.
      taken = n == most and ms and take(waiting)
      one = taken or {'new'}
    end
    answer[n] = one
    if one[1] == 'full' or one[1] == 'key' or one[1] == 'account' then break end
  end
end)
-- Where a key cannot be read: what was stored before is numbered and ready all the same, and the event that was not must be
-- no duplicate when it comes again.
if pending then forget(pending) end
if seq > tonumber(facts[4] or '0') then change('n', int(seq)) end
if owner and facts[5] and facts[5] ~= known_count then change('ix', facts[5]) end
if waits_until then change('w', 1) end
if #changed > 0 then redis.call('HSET', s, unpack(changed)) end
if taken then redis.call('ZADD', READY, int(NOW + ms), contact)
elseif is_ready then make_ready(contact) end
if waits_until then redis.call('ZADD', WAITING, 'LT', waits_until, contact) end
count('accepted', accepted)
count('duplicate', duplicate)
if not ok then error(failure) end
return answer
