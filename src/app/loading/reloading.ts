/** Hot reload as `npm start` has it: what it is made of, and what is written to the log. */
import { type Catalogues, type CurrentLibrary, findingLine } from "../../flow/index.ts";
import type { Log } from "../../base/index.ts";
import type { Store } from "../../store/port/port.ts";
import { writeTextTypes } from "../authoring/declarations.ts";
import type { Loaded } from "./flow-history.ts";
import type { FlowReader } from "./flow-reader.ts";
import { Reload } from "./reload.ts";
import { wordsOf } from "./flow-files.ts";
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
    store,
    library: current,
    flows: loaded.flows,
    older: loaded.older,
    known: loaded.known,
    bot: loaded.bot,
    seen: loaded.seen,
    folder: settings.flowsDir,
    // Never in this process: what is edited now may do anything.
    read: (file) => reader.read(file),
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
