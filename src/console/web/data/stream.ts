/**
 * The event stream, read by hand instead of by `EventSource`, because the first connection asks for the past too
 * (`Last-Event-ID: 0`): a console opened late shows what happened before it.
 */
import type { LiveEvent } from "./model.ts";

/** Waits between attempts, ms. */
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5_000;

export interface StreamHandlers {
  readonly event: (event: LiveEvent) => void;
  /** Called with true when connected and with false when the connection is lost. */
  readonly state: (connected: boolean) => void;
}

async function read(body: ReadableStream<Uint8Array>, each: (id: string, data: string) => void) {
  const reader = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      let id = "";
      const data: string[] = [];
      for (const line of block.split(/\r?\n/)) {
        if (line.startsWith("id:")) id = line.slice(3).trim();
        else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
      }
      if (data.length > 0) each(id, data.join("\n"));
    }
  }
}

/** Reads until the page goes. */
export async function listen(handlers: StreamHandlers): Promise<never> {
  let last = "0";
  let wait = FIRST_WAIT;
  for (;;) {
    try {
      const response = await fetch("/api/events", {
        headers: { accept: "text/event-stream", "last-event-id": last },
        cache: "no-store",
      });
      if (response.ok && response.body) {
        handlers.state(true);
        wait = FIRST_WAIT;
        await read(response.body, (id, data) => {
          if (id !== "") last = id;
          handlers.event(JSON.parse(data) as LiveEvent);
        });
      }
    } catch {
      // the server went away: the loop comes back to it
    }
    handlers.state(false);
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}
