import type { Command } from "../command.ts";
import { bench } from "./bench.ts";
import { chat } from "./chat.ts";
import { clock, faults, inbound, sandbox } from "./sandbox.ts";
import { doctor } from "./doctor.ts";
import { flows } from "./flows.ts";
import { gateway } from "./gateway.ts";
import { init } from "./init.ts";
import { saveTest } from "./save-test.ts";
import { start } from "./start.ts";
import { understand } from "./understand.ts";
import { accounts, dead, handoff, hold, keys, outbox, pause, resume, sessions } from "./work.ts";

/** Every command, in the order help shows them. */
export const COMMANDS: readonly Command[] = [
  start,
  chat,
  init,
  flows,
  gateway,
  sandbox,
  inbound,
  clock,
  faults,
  understand,
  sessions,
  saveTest,
  handoff,
  outbox,
  dead,
  pause,
  resume,
  hold,
  keys,
  accounts,
  doctor,
  bench,
];
