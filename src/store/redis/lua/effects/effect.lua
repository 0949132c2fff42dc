-- One effect of a contact. ARGV: contact, account, id. Answers what `shown` does, or {}.
unfold(ARGV[1])
local is = redis.call('HMGET', effect(ARGV[3]), 'contact', 'account')
if is[1] ~= ARGV[1] or is[2] ~= ARGV[2] then return {} end
return shown(ARGV[3])
