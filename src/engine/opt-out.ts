/** The person wants no more messages: everything stops, and only they can begin again. */
import { fold } from "../brazil/index.ts";
import type { Draft } from "./draft.ts";
import { send } from "./frames.ts";
import { programOf } from "./programs.ts";

/** "não quero mais receber mensagens" always stops; "sair" and "parar" only outside a flow. */
export function isOptOut(text: string): boolean {
  return /\b(nao quero (mais )?receber|para de me mandar|pare de me mandar|me descadastr|descadastrar|unsubscribe|stop messaging)/.test(
    fold(text),
  );
}

export function optOut(draft: Draft): void {
  const { session, env } = draft;
  for (const frame of [...session.frames].reverse()) {
    const { sealed } = programOf(draft, frame).expects(frame.state, draft.context);
    if (!sealed) send(draft, frame, { type: "CANCEL" });
  }
  draft.paragraphs.length = 0;
  session.optOut = { since: env.now };
  draft.loudness = "always";
  draft.word("opted-out");
}
