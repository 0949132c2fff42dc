/** Words of a bubble: `*bold*` is bold, addresses are links, lines stay lines. No HTML is ever taken from a message. */
import type { JSX } from "preact";

const PARTS = /(\*[^*\n]+\*|https?:\/\/[^\s<>"]+)/g;

export function RichText({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text.split(PARTS).map((part, at) => {
        if (at % 2 === 0) return part;
        if (part.startsWith("*")) return <strong key={at}>{part.slice(1, -1)}</strong>;
        return (
          <a key={at} href={part} target="_blank" rel="noreferrer noopener">
            {part.replace(/^https?:\/\//, "")}
          </a>
        );
      })}
    </>
  );
}
