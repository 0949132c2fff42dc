-- From now on mail of this contact is handed out with the winner's name on it. ARGV: contact, account, winner.
local contact = ARGV[1]
local s = of('s', contact)
redis.call('HSETNX', s, 'a', ARGV[2])
redis.call('HSET', s, 'fw', ARGV[3])
redis.call('ZREM', TIMERS, contact)
if redis.call('LLEN', of('m', contact)) > 0 then make_ready(contact) end
return 1
