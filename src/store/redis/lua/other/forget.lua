-- Drops the aliases of a contact. KEYS[1]: `prosa:{a:<account>}:`. ARGV: contact. Answers 1 when it was known.
local people, contact = KEYS[1] .. 'people', ARGV[1]
for hash in string.gmatch(redis.call('HGET', people, contact .. ':a') or '', '%S+') do
  redis.call('HDEL', KEYS[1] .. 'alias', hash)
end
return redis.call('HDEL', people, contact, contact .. ':a', contact .. ':m', contact .. ':p') > 0 and 1 or 0
