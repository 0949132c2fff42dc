/** Words of a bubble: `*bold*` is bold, addresses are links, lines stay lines. No HTML is ever taken from a message. */
import type { JSX } from "preact";

/** A star next to another star or inside a word is a star: masked documents are no bold text. */
const PARTS = /((?<![*\w])\*(?=[^\s*])[^*\n]*[^\s*]\*(?![*\w])|https?:\/\/[^\s<>"]+)/g;

/** Characters of an address that are shown. */
const SHOWN = 46;

function shortened(address: string): string {
  const bare = address.replace(/^https?:\/\//, "");
  return bare.length <= SHOWN ? bare : `${bare.slice(0, SHOWN - 9)}…${bare.slice(-8)}`;
}

export function RichText({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text.split(PARTS).map((part, at) => {
        // An amount stays on one line.
        if (at % 2 === 0) return part.replace(/R\$ (?=\d)/g, "R$\u00a0");
        if (part.startsWith("*")) return <strong key={at}>{part.slice(1, -1)}</strong>;
        return (
          <a key={at} href={part} target="_blank" rel="noreferrer noopener">
            {shortened(part)}
          </a>
        );
      })}
    </>
  );
}
