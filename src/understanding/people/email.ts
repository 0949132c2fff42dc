/** An e-mail address → lower case. Slips that are easy to see are proposed, never corrected silently. */
import { withoutCourtesy } from "../commands/closing-words.ts";
import { plain, tidy } from "../plain.ts";
import { absent, ambiguous, clear, invalid, MAX_ANSWER, type Understood } from "../understood.ts";

/** The shortest limit of the layouts of official documents. */
const LONGEST = 80;
const ADDRESS =
  /^[a-z0-9](?:[a-z0-9._%+-]{0,62}[a-z0-9_+-])?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,5}[a-z]{2,24}$/;

/** Hosts that nobody has: typing errors of the large providers. */
const SLIPS: Readonly<Record<string, string>> = {
  "gmail.con": "gmail.com",
  "gmail.co": "gmail.com",
  "gmail.cm": "gmail.com",
  "gmai.com": "gmail.com",
  "gmial.com": "gmail.com",
  "gamil.com": "gmail.com",
  "gmail.com.br": "gmail.com",
  "gmal.com": "gmail.com",
  "gnail.com": "gmail.com",
  "hotmail.con": "hotmail.com",
  "hotmai.com": "hotmail.com",
  "hotmial.com": "hotmail.com",
  "hotmal.com": "hotmail.com",
  "outlook.con": "outlook.com",
  "outlok.com": "outlook.com",
  "yahoo.con": "yahoo.com",
  "yaho.com.br": "yahoo.com.br",
  "yahoo.com.b": "yahoo.com.br",
  "icloud.con": "icloud.com",
  "uol.com": "uol.com.br",
  "bol.com": "bol.com.br",
};

export function email(text: string): Understood<"email"> {
  if (text.length > MAX_ANSWER) return absent("email", "too-long");
  const line = tidy(text).toLowerCase();
  const words = line
    .split(/[\s,;<>()"'*`[\]]+/)
    .map((word) => word.replace(/^mailto:|^e-?mail:/, "").replace(/[.!?:]+$/, ""))
    .filter((word) => word.includes("@"));
  const fit = [
    ...new Set(
      words.filter((word) => word.length <= LONGEST && ADDRESS.test(word) && !word.includes("..")),
    ),
  ];
  const [only, second] = fit;
  if (second !== undefined)
    return ambiguous(
      "email",
      "which",
      fit.map((value) => ({ value, echo: value })),
    );
  if (only !== undefined) {
    const [user = "", host = ""] = only.split("@");
    const right = Object.hasOwn(SLIPS, host) ? SLIPS[host] : undefined;
    if (right === undefined && BROKEN.test(line))
      return ambiguous("email", "spoken", [{ value: only, echo: only }]);
    if (right === undefined) return clear("email", only, only);
    const value = `${user}@${right}`;
    return ambiguous("email", "typo", [
      { value, echo: value },
      { value: only, echo: only },
    ]);
  }
  const spoken = spokenAddress(plain(line));
  if (spoken) return ambiguous("email", "spoken", [{ value: spoken, echo: spoken }]);
  if (words.length > 0 || line.includes("@"))
    return invalid("email", words.some((word) => word.length > LONGEST) ? "length" : "format");
  return /^\S+\.(?:com|br|net|org)(?:\.br)?$/.test(line)
    ? invalid("email", "at-sign")
    : absent("email");
}

/** One word, a space and an address: the word may be the first half of it ("joao pedro@gmail.com"). */
const BROKEN =
  /^(?!(?:e-?mail|mail|e|eh|é|meu|minha|o|no|na|para|pra|pro|por|em|manda|mandar|mande|envia|enviar|envie|anota|segue|ai|aí|esse|este|sim|ok|oi|use|usa|to|my|is|at|it's)\s)[\p{L}\d._-]+\s[^\s@]+@[^\s@]+$/u;

/** Said of the words before it: they are written as one. */
const ALL_JOINED =
  /(?<![ ,(])[ ,(]+tudo (?:junto|minusculo)(?: e?,? ?(?:em )?(?:junto|minusculo|minusculas|sem espacos?))?[ ,)]+(?=arroba\b|@)/;
const SAID_BEFORE =
  /^(?:(?:pode )?(?:manda|mandar|envia|enviar|anota)(?: ai)?:? )?(?:(?:no|pro|para o|pra) )?(?:(?:o )?(?:meu )?e-?mail(?: del[ae]| d[ao] [a-z]{2,20})?(?::| e| eh)? )?/;

/** "ana paula tudo junto arroba gmail" → "anapaula arroba gmail". */
function withoutGaps(line: string): string {
  const said = ALL_JOINED.exec(line);
  if (!said) return line;
  const words = `${line.slice(0, said.index)} `.replace(SAID_BEFORE, "").replace(/ (?:e|eh) $/, "");
  if (words === "") return line;
  return words.replaceAll(" ", "") + " " + line.slice(said.index + said[0].length);
}

/** "maria arroba gmail ponto com", "maria @ gmail.com" → the address meant, if that gives one. */
function spokenAddress(line: string): string | null {
  const whole = withoutCourtesy(line);
  const joined = (ALL_JOINED.test(whole) ? withoutGaps(whole) : whole)
    .replace(
      /^(?:(?:pode )?(?:manda|mandar|envia|enviar|anota)(?: ai)?:? )?(?:(?:no|pro|para o|pra) )?(?:meu |o )?(?:e-?mail:? )?(?:e |eh )?/,
      "",
    )
    .replace(/ ?(?:@|[([]?\barroba\b[)\]]?) ?/g, "@")
    .replace(/ ?\bponto\b ?/g, ".")
    .replace(/ ?\b(?:underline|underscore)\b ?/g, "_");
  return joined.length <= LONGEST && !joined.includes("..") && ADDRESS.test(joined) ? joined : null;
}
