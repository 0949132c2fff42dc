-- Whether this contact was given an event, also when it was merged since. ARGV: contact, account, event, dedupe ms.
if redis.call('HGET', of('s', ARGV[1]), 'a') ~= ARGV[2] then return 0 end
return is_known(ARGV[1], ARGV[3], tonumber(ARGV[4])) and 1 or 0
