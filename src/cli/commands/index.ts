import type { Command } from "../command.ts";
import { clock, faults, inbound, sandbox } from "./sandbox.ts";
import { flows } from "./flows.ts";
import { gateway } from "./gateway.ts";
import { init, understand, saveTest } from "./authoring.ts";
import { start, chat, doctor, bench } from "./run.ts";
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
