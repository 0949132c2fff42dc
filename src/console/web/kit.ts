/** What the console hands to modules of plugins. */
import type { ConsoleKit } from "../panels.ts";
import { attempt, notify } from "./data/actions.ts";
import { Decision, Field, ToWaiting } from "./operations/decision.tsx";
import { clockTime, dayAndTime, money, span } from "./format.ts";
import { get, post } from "./data/http.ts";
import { Icon } from "./icons.tsx";
import { CopyButton, Empty, Entry } from "./pieces.tsx";
import { decide } from "./operations/sends.ts";
import { now, sandbox } from "./data/store.ts";
import { textOf, told } from "./texts/index.ts";

export const kit: ConsoleKit = {
  sandbox,
  now,
  told,
  get,
  post,
  attempt,
  notify,
  decide,
  t: textOf,
  format: { dayAndTime, clockTime, span, money },
  pieces: { Icon, Empty, Entry, CopyButton, Field, Decision, ToWaiting },
};
