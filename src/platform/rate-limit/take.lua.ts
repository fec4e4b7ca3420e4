/**
 * Runs in one round trip, on Redis' own clock. KEYS[1]: the subject's hash. ARGV: requests per minute, requests per
 * second, and 1 to count the request or 0 to only judge it. Returns the verdict (0 allowed, 1 rate limited, 2 burst),
 * the present time in milliseconds, and both pairs of buckets afterwards.
 */
export const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HMGET', KEYS[1], 'mi', 'mc', 'mp', 'si', 'sc', 'sp')

local function rolled(at, length)
  local index = math.floor(now / length)
  local known = tonumber(stored[at] or '0')
  if index == known then return index, tonumber(stored[at + 1]), tonumber(stored[at + 2]) end
  if index == known + 1 then return index, 0, tonumber(stored[at + 1]) end
  return index, 0, 0
end

local function used(index, current, previous, length)
  return current + previous * (1 - (now - index * length) / length)
end

local mi, mc, mp = rolled(1, 60000)
local si, sc, sp = rolled(4, 1000)
local verdict = 0
if used(mi, mc, mp, 60000) + 1 > tonumber(ARGV[1]) then verdict = 1
elseif used(si, sc, sp, 1000) + 1 > tonumber(ARGV[2]) then verdict = 2
elseif ARGV[3] == '1' then
  mc = mc + 1
  sc = sc + 1
  redis.call('HSET', KEYS[1], 'mi', mi, 'mc', mc, 'mp', mp, 'si', si, 'sc', sc, 'sp', sp)
  redis.call('PEXPIRE', KEYS[1], 120000)
end
return { verdict, now, mi, mc, mp, si, sc, sp }
`;
