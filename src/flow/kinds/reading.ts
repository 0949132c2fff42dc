/** Turns a result of `understanding` into the engine's form. */
import type { Json } from "../../base/index.ts";
import type { SlotReading } from "../../engine/index.ts";
import type { Understood } from "../../understanding/index.ts";

export function reading(understood: Understood): SlotReading {
  if (understood.ok)
    return { ok: true, value: understood.value as unknown as Json, echo: understood.echo };
  const { reason, hint, options } = understood;
  return {
    ok: false,
    reason,
    ...(hint === undefined ? {} : { hint }),
    ...(options
      ? {
          options: options.map((option) => ({
            value: option.value,
            echo: option.echo,
            ...(option.kind === undefined ? {} : { kind: option.kind }),
          })),
        }
      : {}),
  };
}
