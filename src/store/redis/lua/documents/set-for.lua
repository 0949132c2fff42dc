-- Writes a text for a while. KEYS[1]: where. ARGV: text, ms, 1 to keep a text that is there. Answers 1 when it was written.
if ARGV[3] == '1' and redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
