import type { Command } from "../command.ts";
import { bench } from "./bench.ts";
import { chat } from "./chat.ts";
import { clock, faults, inbound } from "./controls.ts";
import { doctor } from "./doctor.ts";
import { flows } from "./flows.ts";
import { gateway } from "./gateway.ts";
import { sandbox } from "./sandbox.ts";
import { start } from "./start.ts";
import { understand } from "./understand.ts";
import {
  accounts,
  dead,
  handoff,
  hold,
  invoices,
  outbox,
  pause,
  resume,
  sessions,
} from "./work.ts";

/** Every command, in the order help shows them. */
export const COMMANDS: readonly Command[] = [
  ...[start, chat, flows, gateway, sandbox, inbound, clock, faults, understand],
  ...[sessions, handoff, outbox, invoices, dead, pause, resume, hold, accounts, doctor, bench],
];
