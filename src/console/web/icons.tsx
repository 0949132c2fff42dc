/** Icons as inline shapes on a 20 × 20 field; none depends on a font. */
import type { JSX } from "preact";

const PATHS = {
  chat: "M4 4.500h12A1.5 1.5 0 0 1 17.5 6v7a1.5 1.5 0 0 1-1.5 1.500h-6L6 17.500v-3H4A1.5 1.5 0 0 1 2.5 13V6A1.5 1.5 0 0 1 4 4.500Z",
  flow: "M7.5 3h5v4h-5V3ZM3 13h5v4H3v-4ZM12 13h5v4h-5v-4ZM10 7v3M5.5 13v-3h9v3",
  session: "M5 3h10v14H5V3ZM8 7h4M8 10h4M8 13h2",
  more: "M3.6 10a.9.9 0 1 0 1.8 0 .9.9 0 1 0-1.8 0M9.1 10a.9.9 0 1 0 1.8 0 .9.9 0 1 0-1.8 0M14.6 10a.9.9 0 1 0 1.8 0 .9.9 0 1 0-1.8 0",
  send: "M3.5 10 17 3.5 12.5 17l-2.6-5.900L3.5 10ZM17 3.500l-7.1 7.6",
  plus: "M10 4v12M4 10h12",
  close: "M5 5l10 10M15 5 5 15",
  clock: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM10 6v4.200l2.8 1.8",
  bolt: "M11 2.5 4.5 11.500H9L8.5 17.5 15.5 8H11l0-5.500Z",
  sun: "M10 6.500a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 2v1.500M10 16.500V18M2 10h1.500M16.5 10H18M4.3 4.300l1.1 1.100M14.6 14.600l1.1 1.100M15.7 4.300l-1.1 1.100M5.4 14.600l-1.1 1.1",
  moon: "M16.5 11.800A6.8 6.8 0 1 1 8.2 3.500a5.4 5.4 0 0 0 8.3 8.300Z",
  globe:
    "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM3 10h14M10 3c4.5 4 4.5 10 0 14M10 3c-4.5 4-4.5 10 0 14",
  check: "M4.5 10.5 8.5 14.5 15.5 6",
  copy: "M7 7h9v10H7V7ZM4 13V3h9",
  image: "M3 4h14v12H3V4ZM3 13l4-4 3.5 3.500L13 10l4 4M12.5 7.500h.01",
  mic: "M10 3a2.2 2.2 0 0 1 2.2 2.200v4.600a2.2 2.2 0 0 1-4.4 0V5.200A2.2 2.2 0 0 1 10 3ZM5 9.500a5 5 0 0 0 10 0M10 14.500V17.5",
  file: "M5 2.500h6.500L15 6v11.500H5v-15ZM11.5 2.500V6H15",
  pin: "M10 17.500s5.5-5 5.5-9a5.5 5.5 0 1 0-11 0c0 4 5.5 9 5.5 9ZM10 6.700a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.800Z",
  card: "M3 4.500h14v11H3v-11ZM7 8a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3ZM4.8 13.500c.4-1.2 1.2-1.7 2.2-1.700s1.8.5 2.2 1.700M12 8.500h3M12 11.500h3",
  sticker: "M3.5 3.500h13v8l-5 5h-8v-13ZM16.5 11.500h-5v5",
  poll: "M4 16V9M10 16V4M16 16v-5",
  button: "M3 6.500h14v7H3v-7ZM7 10h6",
  smile:
    "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM7 11.500c.7 1.3 1.7 2 3 2s2.3-.7 3-2M7.5 8h.01M12.5 8h.01",
  edit: "M4 16l.8-3.300L13 4.500l2.5 2.5-8.2 8.200L4 16Z",
  trash: "M4 6h12M8 6V4h4v2M5.5 6l.7 11h7.600l.7-11M8.5 9v5M11.5 9v5",
  phone: "M6 2.500h8v15H6v-15ZM9 15h2",
  zoomIn: "M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4ZM13 13l4 4M9 6.800v4.400M6.8 9h4.4",
  zoomOut: "M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4ZM13 13l4 4M6.8 9h4.4",
  fit: "M3.5 7.500v-4h4M12.5 3.500h4v4M16.5 12.500v4h-4M7.5 16.500h-4v-4",
  list: "M7 5h10M7 10h10M7 15h10M3.5 5h.01M3.5 10h.01M3.5 15h.01",
  follow: "M10 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM10 2v3M10 15v3M2 10h3M15 10h3",
  receipt:
    "M4.5 2.500h11v15l-2.2-1.5-1.7 1.5-1.6-1.5-1.6 1.5-1.7-1.5-2.2 1.500v-15ZM7.5 6.500h5M7.5 9.500h5",
  warn: "M10 3.5 17.5 16.500h-15L10 3.500ZM10 8.500v3.500M10 14.200h.01",
  down: "M5.5 8 10 12.5 14.5 8",
  user: "M10 10a3.2 3.2 0 1 0 0-6.400A3.2 3.2 0 0 0 10 10ZM4 17c.7-3 3-4.5 6-4.500s5.3 1.5 6 4.5",
  reset: "M4 10a6 6 0 1 0 2-4.500M4 3.500v3.800h3.8",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** One, two or two coloured checks, or a clock, or a cross: how far a message came. */
export function TickIcon({ tick }: { tick: string }): JSX.Element {
  const paths: Record<string, string> = {
    sending: "M8 2.500a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 5.500V8l2 1",
    sent: "M4 8.5 7 11.5 12.5 5",
    failed: "M5 5l6 6M11 5l-6 6",
  };
  return (
    <svg class={`tick tick-${tick}`} width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[tick] ?? "M1.5 8.5 4.5 11.5 10 5M7.5 10.700l.8.8L14 5"} />
    </svg>
  );
}
