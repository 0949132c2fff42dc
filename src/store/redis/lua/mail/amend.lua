-- ARGV: contact, account, id, token, sealed payload. Answers 1, or 0 when the token is stale.
if not is_mine(ARGV[3], ARGV[2], ARGV[1], ARGV[4]) then return 0 end
redis.call('HSET', effect(ARGV[3]), 'sealed', ARGV[5])
return 1
