-- Dedupe, mailbox, ready for mail of one contact, in order and as a whole; fused with the claim on demand. ARGV: contact, key
-- id, wrapped key or '' when the store had it, bounds: mailbox, dedupe ms, dedupe ids, dead letters; lease ms or '' for no
-- claim, events, solo after, end of the session the asker knows or '', number of items, then per item: account, event,
-- sealed, not before or '', '1' when the contact was found by its names, '1' for what another contact had taken in before it
-- proved to be this one, which finds room always. Answers a word per item; the last is {word} or, for what is sealed under
-- another key than the contact's, {'key', wrapped key}; 'full' ends it, and nothing behind that was looked at. A contact that
-- is leased with the last item is {'new', now, seq, epoch, rev, session | 1 when known | '', failed, all mail when more than
-- this one waits}.
local contact, key, wrapped = ARGV[1], ARGV[2], ARGV[3]
local window, most = tonumber(ARGV[5]), tonumber(ARGV[12])
local s, known_ids = of('s', contact), of('i', contact)

local function store(at)
  local account, event, sealed = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local facts = redis.call('HMGET', s, 'a', 'k', 'fw')
  if facts[1] and facts[1] ~= account then return {'account'} end
  -- A key that the store had and has no longer was erased: it must not come back.
  local erased = not facts[2] and wrapped == ''
  -- The erasure left a mark: no contact has such a name after it. Looked for only where nothing is stored yet.
  local gone = not facts[1] and redis.call('EXISTS', of('x', contact)) == 1
  if gone or ARGV[at + 4] == '1' and (facts[3] or erased) then return {'moved'} end
  if erased then return {'key', ''} end
  if facts[2] and string.match(facts[2], '^[^:]*:([^:]*):') ~= key then return {'key', facts[2]} end
  if is_known(contact, event, window) then
    count('duplicate', 1)
    return {'duplicate'}
  end

  redis.call('ZREMRANGEBYSCORE', known_ids, '-inf', NOW - window)
  local handed = ARGV[at + 5] == '1'
  local room = handed or redis.call('ZCARD', known_ids) < tonumber(ARGV[6])
  local dies = not handed and (not room or redis.call('LLEN', of('m', contact)) >= tonumber(ARGV[4]))
  if dies and redis.call('ZCARD', DEAD) >= tonumber(ARGV[7]) then return {'full'} end

  if not facts[1] then redis.call('HSET', s, 'a', account) end
  if not facts[2] then redis.call('HSET', s, 'k', wrapped) end
  count('accepted', 1)
  if room then remember(contact, event, window) end
  if dies then
    dead_letter(contact, event, 'mailbox_full', sealed)
    return {'dead'}
  end
  local seq, queued = push(contact, NOW, event, sealed)
  if ARGV[at + 3] ~= '' then
    redis.call('ZADD', WAITING, 'LT', ARGV[at + 3], contact)
    return {'new'}
  end
  return {'new', seq, queued, facts[3]}
end

-- Leased here only if a claim would hand it out next: it is not leased, no other contact waits, and it need not come alone.
local function take(seq, queued, forward)
  local ms = tonumber(ARGV[8])
  local due = ms and redis.call('ZRANGEBYSCORE', READY, '-inf', NOW, 'LIMIT', 0, 2) or {}
  local f = ms and redis.call('HMGET', s, 'v', 'd', 'b')
  local failed = ms and tonumber(f[3] or '0')
  local leased = tonumber(redis.call('ZSCORE', READY, contact) or '0') > NOW
  if not ms or leased or due[2] or (due[1] and due[1] ~= contact) or forward or failed >= tonumber(ARGV[10]) then
    make_ready(contact)
    return {'new'}
  end
  redis.call('ZADD', READY, NOW + ms, contact)
  local epoch = redis.call('HINCRBY', COUNT, 'epoch', 1)
  redis.call('HSET', s, 'e', epoch, 'l', ms, 'b', failed + 1)
  local session = f[2] or ''
  if ARGV[11] ~= '' and string.sub(session, -#ARGV[11]) == ARGV[11] then session = 1 end
  return {'new', NOW, seq, epoch, f[1] or '0', session, failed,
    queued > 1 and redis.call('LRANGE', of('m', contact), 0, ARGV[9] - 1) or {}}
end

local answer = {}
for n = 1, most do
  local one = store(13 + (n - 1) * 6)
  -- The last item leases the contact with all mail before it.
  if one[2] and one[1] == 'new' then
    if n == most then one = take(one[2], one[3], one[4])
    else
      make_ready(contact)
      one = {'new'}
    end
  end
  answer[n] = one
  if one[1] == 'full' or one[1] == 'key' or one[1] == 'account' then break end
end
return answer
