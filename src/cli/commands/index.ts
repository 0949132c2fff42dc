import type { Command } from "../command.ts";
import { bench } from "./bench.ts";
import { chat } from "./chat.ts";
import { clock, faults, inbound } from "./controls.ts";
import { dead } from "./dead.ts";
import { doctor } from "./doctor.ts";
import { flows } from "./flows/flows.ts";
import { gateway } from "./gateway.ts";
import { init } from "./init.ts";
import { keys } from "./keys.ts";
import { sandbox } from "./sandbox.ts";
import { saveTest } from "./flows/save-test.ts";
import { start } from "./start.ts";
import { understand } from "./understand.ts";
import { accounts, handoff, hold, outbox, pause, resume, sessions } from "./work.ts";

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
