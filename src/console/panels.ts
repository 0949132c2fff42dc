/** What a plugin shows in the console. Types alone: modules of panels run in the browser and import nothing of the runtime. */

/** What preact draws: a JSX element. Types of preact are no part of this file, since they bring those of the browser along. */
export type Drawn = object;
type Children = Drawn | string | number | boolean | null | undefined;

/** A signal that is read alone. */
export interface Readable<T> {
  readonly value: T;
}

export interface ConsoleHooks {
  /**
   * Address of the browser module of the plugin's parts of the console. It is bundled into the console, beside `preact` and
   * `@preact/signals`, of which there is one copy. From `prosa/plugin` it imports types alone. Style sheets may be imported.
   *
   *     panels: new URL("./panels.tsx", import.meta.url)
   *
   * The default export is an {@link OpenPanels}. A module that does not compile is a finding at the start, with file and line;
   * the console goes without it.
   */
  readonly panels?: URL;
}

/**
 * Called once, before the page is drawn. What throws here, or later in a panel, is shown in the panel's place with the plugin's
 * name; the rest of the console stands.
 *
 *     import { signal } from "@preact/signals";
 *     import type { OpenPanels } from "prosa/plugin";
 *
 *     const open: OpenPanels = ({ get, t, pieces: { Empty } }) => {
 *       const parcels = signal<readonly { id: string }[]>([]);
 *       const Parcels = () =>
 *         parcels.value.length === 0 ? (
 *           <Empty icon="list" title={t("parcels.none")} />
 *         ) : (
 *           <ul>{parcels.value.map(({ id }) => <li key={id}>{id}</li>)}</ul>
 *         );
 *       return {
 *         texts: {
 *           "pt-BR": { "parcels.title": "Entregas", "parcels.none": "Nenhuma entrega ainda" },
 *           en: { "parcels.title": "Deliveries", "parcels.none": "No delivery yet" },
 *         },
 *         panels: [
 *           {
 *             id: "parcels",
 *             title: "parcels.title",
 *             count: () => parcels.value.length,
 *             load: async () => {
 *               parcels.value = (await get<{ items: { id: string }[] }>("/deliveries/demo")).items;
 *             },
 *             View: Parcels,
 *           },
 *         ],
 *       };
 *     };
 *     export default open;
 */
export type OpenPanels = (kit: ConsoleKit) => ConsoleParts;

/** Every part is optional. */
export interface ConsoleParts {
  /** By language and key. A key that the console has, too, replaces its words. The first plugin in the config has a key. */
  readonly texts?: Readonly<Record<"pt-BR" | "en", Readonly<Record<string, string>>>>;
  /** Tabs beside the runtime's. */
  readonly panels?: readonly Panel[];
  readonly waiting?: WaitingPart;
  /** Drawn at the head of an opened call of the HTTP tab; null where it has nothing to say of that call. */
  readonly Call?: (props: { call: CallRow }) => Drawn | null;
  /** Keys of texts that a customer may send from an empty chat. */
  readonly suggestions?: readonly string[];
  /** Faults of the sandbox that the lab offers by name. */
  readonly faults?: readonly FaultPreset[];
}

export interface Panel {
  /** Lower case, unique over the runtime (`session calls sends log dead lab`) and all plugins. */
  readonly id: string;
  /** Key of its text. */
  readonly title: string;
  /** The runtime's tab that it follows; `calls` where it is not said. */
  readonly after?: "calls" | "sends" | "log" | "dead";
  /** Beside the title, where it is not 0. Read signals in it: the tab follows them. */
  readonly count?: () => number;
  /** When the page opens, each 5 s, and soon after each call of the gateway. A rejection is passed over: the next one asks again. */
  readonly load?: () => Promise<void>;
  readonly View: () => Drawn;
}

/** Rows of its own in the list of what waits for a person. */
export interface WaitingPart {
  /** When the page opens, each 5 s, after an alarm and after each decision. A rejection is passed over. */
  readonly load?: () => Promise<void>;
  /** Shown before the held effects. Read signals in it: the list follows them. */
  readonly rows?: () => readonly WaitingRow[];
  /** Whether a row, or one that is to come, speaks for an effect, which is then not listed itself. */
  readonly covers?: (effect: HeldEffect) => boolean;
  /** What the API takes of an effect of the plugin, and a warning about it. Undefined: as its class has it. */
  readonly ofEffect?: (effect: HeldEffect) => EffectAdvice | undefined;
}

export interface WaitingRow {
  /** Of the row and the state it is seen in: a row with another key is drawn anew, without what was typed into it. */
  readonly key: string;
  readonly view: Drawn;
}

/** An effect that rests until a person decides, as the API masks it. What cannot be opened has nothing in its payload. */
export interface HeldEffect {
  readonly id: string;
  readonly account: string;
  readonly contact: string;
  readonly class: string;
  /** Names the state that was seen. */
  readonly rev: number;
  /** Virtual ms. */
  readonly createdAt: number;
  readonly reason?: string;
  readonly payload: {
    readonly type?: string;
    readonly name?: string;
    readonly address?: string;
    readonly message?: { readonly text?: string };
    readonly input?: unknown;
    /** Its exact request, once it may have left. */
    readonly work?: { readonly frozen?: unknown };
  };
}

export type EffectDecision = "retry" | "done" | "failed" | "discard";

export interface EffectAdvice {
  readonly decisions: readonly EffectDecision[];
  /** Key of a text. */
  readonly warning?: string;
}

/** One call of the gateway. Times are ms. */
export interface CallRow {
  readonly key: string;
  readonly at: number;
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly outcome?: string;
  readonly ms?: number;
  readonly attempt?: number;
  readonly body?: unknown;
  readonly contact?: string;
}

export interface FaultPreset {
  /** Keys of texts. */
  readonly name: string;
  readonly hint: string;
  /** The body of `POST /sandbox/faults`. */
  readonly fault: {
    readonly route?: string;
    readonly effect: { readonly kind: string; readonly status?: number; readonly ms?: number };
    readonly times?: number;
  };
}

/** One call of the operator API: a decision with what was seen. */
export interface Decided {
  /** Below `/api`. */
  readonly path: string;
  readonly body: object;
}

/** What the console hands to modules of panels. Signals and texts may be read while drawing: what is drawn follows them. */
export interface ConsoleKit {
  /** Whether the gateway is the sandbox, whose lists are below `/sandbox`. */
  readonly sandbox: Readable<boolean>;
  /** Virtual time, ms, renewed each second. */
  readonly now: Readable<number>;
  /** The text of a key in the chosen language, its `{names}` replaced; a key without a text is told as it is. */
  readonly t: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** The text of a key made at run time, or the fallback where there is none. */
  readonly told: (key: string, fallback: string) => string;
  /** Calls of the operator API, `path` below `/api`. They reject with a sentence in the chosen language. */
  readonly get: <T>(path: string) => Promise<T>;
  readonly post: <T>(path: string, body?: unknown) => Promise<T>;
  /** Runs an action; a refusal becomes a notice on the page. False where it was refused. */
  readonly attempt: (action: () => Promise<unknown>) => Promise<boolean>;
  /** A notice on the page, for 4 s. */
  readonly notify: (text: string, tone?: "good" | "bad") => void;
  /** Sends a decision, tells that it is recorded, and loads anew what waits, also after a refusal. */
  readonly decide: (decision: Decided) => Promise<boolean>;
  readonly format: ConsoleFormat;
  readonly pieces: ConsolePieces;
}

/** Times as people read them, in the chosen language and the zone of Brasília. `at`: epoch ms. */
export interface ConsoleFormat {
  /** `22 nov, 09:30` */
  readonly dayAndTime: (at: number) => string;
  /** `09:30` */
  readonly clockTime: (at: number) => string;
  /** The two largest units of a span of ms: `1 d 3 h`. */
  readonly span: (ms: number) => string;
  /** `R$ 350,00` of 350. */
  readonly money: (reais: number) => string;
}

type Piece<Props> = (props: Props) => Drawn;

/** Icons by what they show. */
export type PanelIcon =
  | "bolt"
  | "card"
  | "check"
  | "clock"
  | "close"
  | "file"
  | "list"
  | "receipt"
  | "reset"
  | "trash"
  | "warn";

export interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** Characters it takes. */
  readonly most: number;
  readonly error: string | undefined;
  readonly put: (value: string) => void;
}

export interface ConsolePieces {
  /** Size in px, 20 where it is not said. */
  readonly Icon: Piece<{ name: PanelIcon; size?: number }>;
  /** What a list shows while it is empty. */
  readonly Empty: Piece<{ icon: PanelIcon; title: string; children?: Children }>;
  /** A row of a list that opens. */
  readonly Entry: Piece<{
    mark: Children;
    isGood?: boolean;
    title: Children;
    sub: Children;
    children: Children;
  }>;
  readonly CopyButton: Piece<{ text: string }>;
  /** A field of a form with the error under it. */
  readonly Field: Piece<FieldProps>;
  /**
   * A decision that says what it will do and is asked twice. Its words are the texts `sends.do.<name>` and `sends.sure.<name>`.
   */
  readonly Decision: Piece<{ name: string; hint: string; icon: PanelIcon; act: () => void }>;
  /** Leads to the list of what waits for a person; nothing while nothing waits. */
  readonly ToWaiting: () => Drawn | null;
}
