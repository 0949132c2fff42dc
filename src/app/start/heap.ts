/**
 * How far memory may grow before what nobody holds any more is cleared away.
 *
 * On a machine with much memory V8 lets the old generation grow to four or five times what is held. What a turn remembers
 * of its contact (data key, session) lives long and is then forgotten for another's, so a storm of turns of many contacts
 * fills that room with what was forgotten: 100,000 timers took 490 MB more, of which 45 were held.
 */
import { setFlagsFromString } from "node:v8";

/** Room for what is forgotten, percent of what is held. Costs a clearing more for every few thousand turns. */
const ROOM_PERCENT = 100;
/** As V8 takes it. */
export const HEAP_FLAG = `--heap-growing-percent=${ROOM_PERCENT}`;

/** From now on, for the whole process. A Node that does not know the flag says so on stderr and goes on as it is. */
export function boundHeap(): void {
  setFlagsFromString(HEAP_FLAG);
}
