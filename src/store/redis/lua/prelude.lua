-- Shared by every script of a partition; a script is given the parts that it uses, which stand apart by an empty line. KEYS[1] is the partition's prefix, `prosa:{pNN}:`; every key is built from it,
-- so all of them stand in one slot. Nothing is written before everything is validated, or it is
-- undone before the answer by a command that cannot fail: Lua has no roll-back.
local P = KEYS[1]

-- The process that asked, so that it can tell its own hints from those of others.
local ORIGIN = ARGV[#ARGV]

-- `clock` is the answer of TIME, made before this.
local NOW = clock[1] * 1000 + math.floor(clock[2] / 1000)

-- A whole number as a command takes it: Redis writes numbers of Lua with 17 digits, which takes as long as the command.
local function int(n) return string.format('%d', n) end

local NOW_TEXT = int(NOW)

-- The longest wait before something is tried again, ms. What seems to wait longer was written before the clock jumped back.
local LONGEST_WAIT = 600000

local READY = P .. 'ready'

local TIMERS = P .. 'timers'

local WAITING = P .. 'waiting'

local COUNT = P .. 'count'

local DEAD = P .. 'dead'

local FLIGHT = P .. 'flight'

local INLINE = P .. 'inline'

local HELD = P .. 'held'

local ENQUEUED = P .. 'enqueued'

local EFFECTS = P .. 'effects'

local BUCKETS = P .. 'buckets'

-- Per contact: `s:` facts, session and journal, `m:` mailbox, `i:` known event ids, `f:` all effects, `o:` ordered effects
-- that have not left, `d:` dead letters, `x:` erased a while ago. Fields of `s:` are `a` account, `k` wrapped key, `v`
-- revision, `d` session, `u` when it changed, `n` number of the last mail, `e` lease, `w` set while it may stand in WAITING,
-- `ix` when its ids were trimmed and how many more than `n` they are at most, `dl` set once it had a dead letter, `fw` the
-- contact it was merged into, `x` its inline effect, `f` set while `f:` is not empty, `j0`, `j1`, … the
-- lines of the journal as a ring of `number|line`, `jn` the number of the next one.
local function of(kind, contact) return P .. kind .. ':' .. contact end

local function count(name, by)
  if by ~= 0 then redis.call('HINCRBY', COUNT, name, int(by)) end
end

-- A hint for other processes. Without the right to publish they notice work up to a second later.
local function wake(what) redis.pcall('PUBLISH', 'prosa:wake', what .. P .. ORIGIN) end

local function make_ready(contact)
  if redis.call('ZADD', READY, 'NX', NOW_TEXT, contact) == 1 then wake('t') end
end

-- An entry is `seq|accepted at|event hash|sealed mail`; a tick has `tick` for the hash and its due time for the mail.
-- Answers its number.
local function push(contact, at, event, sealed)
  local s = of('s', contact)
  local seq = int((redis.call('HGET', s, 'n') or 0) + 1)
  -- Numbered once it is there: mail has no gap in its numbers.
  redis.call('RPUSH', of('m', contact), seq .. '|' .. at .. '|' .. event .. '|' .. sealed)
  redis.call('HSET', s, 'n', seq)
  return seq
end

-- The lease in `e` is `epoch:claims in a row without progress`, after its end `-epoch:claims`. Answers the epoch of a lease as
-- text or false, the last epoch, and the claims.
local function read_lease(e)
  local over, epoch, failed = string.match(e or '', '^(%-?)(%d+):(%d+)$')
  return over == '' and epoch, tonumber(epoch or '0'), tonumber(failed or '0')
end

-- Epochs only grow. Where a fail-over forgot the last ones, the clock stands in for them.
local function new_epoch(last) return math.max(last + 1, NOW) end

-- `failed`: claims without progress; absent: they stay.
local function end_lease(contact, failed)
  local e = redis.call('HGET', of('s', contact), 'e')
  if not e then return end
  local _, epoch, before = read_lease(e)
  redis.call('HSET', of('s', contact), 'e', '-' .. epoch .. ':' .. (failed or before))
end

local function seq_of(entry) return string.match(entry, '^%d+') end

local function split(entry)
  return string.match(entry, '^(%d+)|(%d+)|([^|]*)|(.*)$')
end

local function is_known(contact, event, window)
  local seen = redis.call('ZSCORE', of('i', contact), event)
  if seen and tonumber(seen) > NOW - window then return true end
  -- Past the number of ids that can be remembered the dead letter itself is the memory.
  return redis.call('HEXISTS', of('d', contact), event) == 1
end

-- The set of ids ends after the last one's window, at most this slack later, so a contact that fell silent leaves none.
local function slack_of(window) return math.floor(window / 128) end

local function remember(contact, event, window)
  redis.call('ZADD', of('i', contact), NOW, event)
  redis.call('PEXPIRE', of('i', contact), window + slack_of(window))
end

-- Result mail is never refused for want of room, because it could not be sent again.
local function accept_result(contact, event, sealed, window)
  if is_known(contact, event, window) then return count('duplicate', 1) end
  -- Before its id is remembered: mail that could not be written must not be taken for known when it comes again.
  push(contact, NOW, event, sealed)
  count('accepted', 1)
  remember(contact, event, window)
  make_ready(contact)
end

-- Letters of one millisecond keep their order too: each is a little later than the last.
local function dead_letter(contact, event, reason, sealed)
  count('dead', 1)
  local last = redis.call('ZREVRANGE', DEAD, 0, 0, 'WITHSCORES')
  local at = math.max(NOW, (tonumber(last[2]) or 0) + 1)
  redis.call('HSET', of('d', contact), event, at .. '|' .. reason .. '|' .. sealed)
  redis.call('HSET', of('s', contact), 'dl', 1)
  redis.call('ZADD', DEAD, at, contact .. '.' .. event)
end

-- A session of the next revision, in its sealed form; then further fields of the contact.
local function write_session(contact, account, rev, sealed, ...)
  redis.call('HSET', of('s', contact), 'v', int(rev), 'd', sealed, 'u', NOW_TEXT, ...)
  redis.call('ZADD', P .. 'sessions:' .. account, NOW_TEXT, contact)
  if rev == 1 then redis.call('SADD', P .. 'accounts', account) end
end

-- The next due time over all timers of a contact; '' for none, 'same' leaves it as it is.
local function set_timer(contact, due)
  if due == '' then redis.call('ZREM', TIMERS, contact)
  elseif due ~= 'same' then redis.call('ZADD', TIMERS, due, contact) end
end

-- Adds to `fields`, which are written with others of the contact, a line of the journal over the one `limit` lines before it.
-- `number`: `jn` of the contact. Answers the number of the next line.
local function add_line(fields, number, line, limit)
  number = tonumber(number or '0')
  local at = #fields
  fields[at + 1], fields[at + 2] = 'j' .. int(number % limit), int(number) .. '|' .. line
  fields[at + 3], fields[at + 4] = 'jn', int(number + 1)
  return number + 1
end

-- Effects that may leave now are in one bucket for each class and scope. BUCKETS holds each bucket's earliest time, or the time
-- of its last turn if that is later, so that others that wait since before come first. A pause costs one comparison, however
-- many effects it holds back.
local function reindex(bucket, taken)
  local first = redis.call('ZRANGE', of('b', bucket), 0, 0, 'WITHSCORES')
  if first[1] then redis.call('ZADD', BUCKETS, math.max(tonumber(first[2]), taken or 0), bucket)
  else redis.call('ZREM', BUCKETS, bucket) end
end

local function effect(id) return of('e', id) end

-- The latest time at which an effect entered a bucket, to the second: a clock that is behind it jumped back.
local function stamp()
  if NOW > tonumber(redis.call('HGET', COUNT, 'offered') or '0') + 1000 then redis.call('HSET', COUNT, 'offered', NOW) end
end

-- An effect that waits only for its turn counts from when it could leave, so the first one leaves first.
local function offer(id)
  local e = redis.call('HMGET', effect(id), 'class', 'scope', 'nb')
  local bucket, at = e[1] .. ' ' .. e[2], tonumber(e[3])
  if at > 0 then redis.call('ZADD', of('b', bucket), at, id)
  else
    at = NOW
    redis.call('ZADD', of('b', bucket), 'NX', at, id)
    stamp()
  end
  redis.call('ZADD', BUCKETS, 'LT', at, bucket)
  return bucket
end

local function withdraw(id)
  local e = redis.call('HMGET', effect(id), 'class', 'scope')
  if not e[1] then return end
  local bucket = e[1] .. ' ' .. e[2]
  redis.call('ZREM', of('b', bucket), id)
  reindex(bucket)
end

-- Of the ordered effects of a contact the first may leave, once none of them is on its way. True when one may now.
local function advance(contact)
  local head = redis.call('LINDEX', of('o', contact), 0)
  if head and redis.call('HGET', effect(head), 'state') == 'p' then
    offer(head)
    wake('o')
    return true
  end
  return false
end

-- No other leaves while one is on its way.
local function go_on(contact)
  for _, other in ipairs(redis.call('LRANGE', of('o', contact), 0, -1)) do
    if redis.call('HGET', effect(other), 'state') == 'i' then return end
  end
  advance(contact)
end

local function lease(id, contact, token, ms, attempt)
  redis.call('HSET', effect(id), 'state', 'i', 'token', token, 'attempt', attempt)
  redis.call('ZADD', FLIGHT, NOW + ms, id)
end

-- id, account, contact, class, scope, ordered, sealed payload, token, attempt, created, wrapped key of the contact
local function begun(id)
  local e = redis.call('HMGET', effect(id), 'account', 'contact', 'class', 'scope', 'ordered', 'sealed', 'token',
    'attempt', 'created')
  table.insert(e, 1, id)
  e[11] = redis.call('HGET', of('s', e[3]), 'k')
  return e
end

-- The only effect of a contact, where the commit that made it began it, is a field of the contact until it ends, and INLINE
-- says until when it is leased: most replies are over before anybody asks for them by another way. Whatever is done with
-- such an effect, but its end, makes it one as all others first (`unfold`).
local function inline(id, class, scope, ordered, sealed, turn, token)
  return cmsgpack.pack({id, class, scope, ordered, sealed, turn, token, NOW_TEXT})
end

-- id, class, scope, ordered, sealed payload or the field with the line of the journal that has it, turn, token, created; nil
-- without one.
local function inline_of(x) return x and x ~= '' and cmsgpack.unpack(x) or nil end

local function list_effect(id, contact, created)
  redis.call('ZADD', EFFECTS, created, id)
  redis.call('RPUSH', of('f', contact), id)
end

local function unfold(contact)
  local s = of('s', contact)
  local f = redis.call('HMGET', s, 'a', 'x')
  local e = inline_of(f[2])
  if not e then return redis.call('ZREM', INLINE, contact) end
  local id, sealed = e[1], e[5]
  if string.match(sealed, '^j%d+$') then sealed = string.match(redis.call('HGET', s, sealed) or '', '^%d+|(.*)$') or '' end
  redis.call('HSET', effect(id), 'contact', contact, 'account', f[1], 'class', e[2], 'scope', e[3], 'ordered', e[4], 'nb', 0,
    'sealed', sealed, 'turn', e[6], 'created', e[8], 'state', 'i', 'attempt', 1, 'token', e[7])
  list_effect(id, contact, e[8])
  if e[4] == '1' then redis.call('RPUSH', of('o', contact), id) end
  redis.call('ZADD', FLIGHT, redis.call('ZSCORE', INLINE, contact) or NOW, id)
  redis.call('ZREM', INLINE, contact)
  redis.call('HSET', s, 'x', '', 'f', 1)
end

-- Those whose lease ends within these times. One that cannot be read keeps no other from being judged or shown.
local function unfold_all(from, til, limit)
  for _, contact in ipairs(redis.call('ZRANGEBYSCORE', INLINE, from, til, 'LIMIT', 0, limit)) do pcall(unfold, contact) end
end

local SETS = {i = FLIGHT, h = HELD, q = ENQUEUED}

-- `state` and `ordered` ('1') where they were read already; without a state they are read here.
local function drop_effect(id, contact, state, ordered)
  if not state then state, ordered = unpack(redis.call('HMGET', effect(id), 'state', 'ordered')) end
  if state == 'p' then withdraw(id)
  elseif state then redis.call('ZREM', SETS[state], id) end
  redis.call('ZREM', EFFECTS, id)
  redis.call('LREM', of('f', contact), 1, id)
  if redis.call('EXISTS', of('f', contact)) == 0 then redis.call('HDEL', of('s', contact), 'f') end
  if ordered == '1' then redis.call('LREM', of('o', contact), 0, id) end
  redis.call('DEL', effect(id))
end

-- An effect that keeps its place lets no later message of its contact leave.
local function hold(id, contact, reason, in_place)
  redis.call('HSET', effect(id), 'state', 'h', 'reason', reason)
  redis.call('HDEL', effect(id), 'token')
  redis.call('ZREM', FLIGHT, id)
  if in_place then redis.call('HSET', effect(id), 'inplace', 1)
  else
    redis.call('HDEL', effect(id), 'inplace')
    redis.call('LREM', of('o', contact), 0, id)
  end
  redis.call('ZADD', HELD, 'NX', NOW, id)
end

-- Names by their bytes, as sets of Redis keep them: `<` would compare by the locale of the server.
local function is_before(one, other)
  for i = 1, math.min(#one, #other) do
    local a, b = string.byte(one, i), string.byte(other, i)
    if a ~= b then return a < b end
  end
  return #one < #other
end

-- Whether the effect is in flight under this token, for this contact of this account; then also whether it is ordered.
local function is_mine(id, account, contact, token)
  unfold(contact)
  local e = redis.call('HMGET', effect(id), 'state', 'token', 'account', 'contact', 'ordered')
  return e[1] == 'i' and e[2] == token and e[3] == account and e[4] == contact, e[5] == '1'
end
