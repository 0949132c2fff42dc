-- Everything of a contact, and of those merged into it, is erased. KEYS[1]: `prosa:{a:<account>}:`. ARGV: contact.
local people, contact = KEYS[1] .. 'people', ARGV[1]
return redis.call('HDEL', people, contact, contact .. ':a', contact .. ':m', contact .. ':p')
