-- Moves the head, or the letter given for it, to dead letters, and puts a notice in its place. ARGV: contact, account, epoch,
-- rev, sealed reason, event of the notice or '', sealed notice, event of the letter or '', sealed letter, sealed session or '',
-- due or '' or 'same', bounds: dead letters, those of the contact. Answers {0} when fenced, {2} when there is no room, else {1,
-- rev, left}.
local contact, account = ARGV[1], ARGV[2]
local s, m = of('s', contact), of('m', contact)
local f = redis.call('HMGET', s, 'a', 'e', 'v')
local rev = tonumber(f[3] or '0')
local epoch = read_lease(f[2])
if f[1] ~= account or epoch ~= ARGV[3] or rev ~= tonumber(ARGV[4]) then return {0} end
local head = redis.call('LINDEX', m, 0)
if not head then return {0} end
if redis.call('ZCARD', DEAD) >= tonumber(ARGV[12]) or redis.call('HLEN', of('d', contact)) >= tonumber(ARGV[13]) then
  return {2}
end
local seq, _, event, sealed = split(head)

redis.call('LPOP', m)
if ARGV[8] ~= '' then dead_letter(contact, ARGV[8], ARGV[5], ARGV[9])
else dead_letter(contact, event == 'tick' and 'tick' .. seq or event, ARGV[5], sealed) end
if ARGV[6] ~= '' then
  count('accepted', 1)
  redis.call('LPUSH', m, seq .. '|' .. NOW .. '|' .. ARGV[6] .. '|' .. ARGV[7])
end
if ARGV[10] ~= '' then
  rev = rev + 1
  write_session(contact, account, rev, ARGV[10])
end
set_timer(contact, ARGV[11])
end_lease(contact, 0)
local left = redis.call('LLEN', m)
if left > 0 then
  redis.call('ZADD', READY, NOW, contact)
  wake('t')
else
  redis.call('ZREM', READY, contact)
  redis.call('ZREM', WAITING, contact)
end
return {1, rev, left}
