/** Hot reload as `npm start` has it: what it is made of, and what is written to the log. */
import { readFileSync } from "node:fs";
import {
  type Ast,
  type Catalogues,
  type CurrentLibrary,
  findingLine,
  type FlowSource,
} from "../../flow/index.ts";
import type { Log } from "../../server/index.ts";
import type { Store } from "../../store/port/port.ts";
import { writeTextTypes } from "../authoring/declarations.ts";
import type { Loaded } from "./flow-history.ts";
import type { ReadFlow } from "./flow-files.ts";
import { type FlowReader, importsOthers } from "./flow-reader.ts";
import { Reload, wordsOf } from "./reload.ts";
import type { Settings } from "../settings.ts";

/** Begins to watch; the answer ends it. */
export async function reloading(parts: {
  readonly settings: Settings;
  readonly store: Store;
  readonly log: Log;
  readonly reader: FlowReader;
  readonly current: CurrentLibrary;
  readonly loaded: Loaded;
}): Promise<() => Promise<void>> {
  const { settings, store, log, reader, current, loaded } = parts;
  const isWatched = settings.reload === "warm" || process.stdout.isTTY === true;
  // For the author's editor; a folder nobody may write to has none.
  const typed = (texts: ReadonlyMap<string, Catalogues>): void => {
    if (!isWatched) return;
    try {
      writeTextTypes(settings.flowsDir, texts);
    } catch (error) {
      log.debug({ err: error }, "texts.d.ts could not be written");
    }
  };
  typed(wordsOf(loaded.flows));
  const reload = new Reload({
    ...{
      store,
      library: current,
      flows: loaded.flows,
      older: loaded.older,
      known: loaded.known,
      bot: loaded.bot,
      seen: loaded.seen,
    },
    folder: settings.flowsDir,
    // Never in this process: what is edited now may do anything.
    read: remembering(reader, loaded.flows),
    now: () => Date.now(),
    told: ({ flows, findings, texts, ms, spent }) => {
      typed(texts);
      for (const finding of findings)
        log.error(
          { ...finding, where: findingLine(finding), spent },
          "a saved flow does not hold up; the version before goes on",
        );
      if (flows.length > 0) log.info({ flows, ms, spent }, "saved flows are live");
    },
    failed: (error) => log.warn({ err: error }, "saved flows could not be taken over"),
  });
  // For a person at a terminal, who waits for the first save; else made when it is needed.
  if (isWatched) void reader.warm().catch(() => undefined);
  reload.start();
  return () => reload.stop();
}

/** Contents of files that are remembered with their flows. */
const REMEMBERED = 100;

/** Reads a file that has not changed from memory: words are saved more often than steps, and need no thread then. */
export function remembering(
  reader: Pick<FlowReader, "read">,
  flows: readonly FlowSource[],
): ReadFlow {
  const known = new Map<string, Ast>();
  for (const { ast, origin } of flows)
    if (origin && !origin.places && origin.file.endsWith(".ts")) known.set(origin.text, ast);
  return async (file) => {
    const text = readFileSync(file, "utf8");
    const ast = importsOthers(file) ? undefined : known.get(text);
    if (ast) return { ok: true, ast };
    const read = await reader.read(file);
    // Saved again while it was read: then nobody knows which content that was.
    if (!read.ok || readFileSync(file, "utf8") !== text) return read;
    known.set(text, read.ast);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    return read;
  };
}
