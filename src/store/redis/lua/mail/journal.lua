-- ARGV: contact, account, journal limit. Answers {wrapped key, `number|line` …}, in no order, or nothing.
local names = {'a', 'k'}
for n = 0, tonumber(ARGV[3]) - 1 do names[#names + 1] = 'j' .. n end
local f = redis.call('HMGET', of('s', ARGV[1]), unpack(names))
if f[1] ~= ARGV[2] or not f[2] then return {} end
local answer = {f[2]}
for n = 3, #names do
  if f[n] then answer[#answer + 1] = f[n] end
end
return answer
