-- Puts a dead letter back into the mailbox, after the mail that waits there, or drops it. ARGV: contact, event, action, dedupe
-- ms. Answers 1 or 0.
local contact, event = ARGV[1], ARGV[2]
local letter = redis.call('HGET', of('d', contact), event)
if not letter then return 0 end
redis.call('HDEL', of('d', contact), event)
redis.call('ZREM', DEAD, contact .. '.' .. event)
local is_tick = string.match(event, '^tick%d+$') and string.len(event) < 22
-- The letter was the memory of its event: when it is delivered again it must neither be applied twice nor come back.
if not is_tick then
  remember(contact, event, tonumber(ARGV[4]))
  -- No mail stands for it where it is dropped: ids are counted anew.
  redis.call('HDEL', of('s', contact), 'ix')
end
if ARGV[3] == 'release' then
  local sealed = string.match(letter, '^%d+|[^|]*|(.*)$')
  count('dead', -1)
  push(contact, NOW, is_tick and 'tick' or event, sealed)
  make_ready(contact)
end
return 1
