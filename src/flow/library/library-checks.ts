/** Checks of a flow against its folder and the other flows: its id, role, start phrases and languages. */
import { foldWords } from "../../brazil/index.ts";
import { type Reader, type RoleTraits, ROLES } from "../../engine/index.ts";
import type { Ast } from "../ast/ast.ts";
import type { Locale, Catalogues } from "../texts/catalogue.ts";
import { didYouMean, type Finding } from "../ast/finding.ts";
import { findingOf } from "../lint/context.ts";

/** Roles that plugins declare. */
function rolesOf(readers: readonly Reader[]): ReadonlyMap<string, RoleTraits> {
  return new Map(readers.flatMap(({ roles = {} }) => Object.entries(roles)));
}

interface One {
  readonly ast: Ast;
  readonly texts: Catalogues;
  readonly origin?: { readonly file: string; readonly text: string };
}

function folderOf(origin: One["origin"]): string | undefined {
  return origin?.file.split(/[\\/]/).at(-2);
}

/** The id a flow names is the folder it is kept in: chats, texts and the console are found by either. */
export function folderFindings({ ast, origin }: One): Finding[] {
  const folder = folderOf(origin);
  if (!origin || folder === undefined || folder === ast.flow) return [];
  const lines = origin.text.split("\n");
  const written = [`"${ast.flow}"`, `flow: ${ast.flow}`];
  const line = lines.findIndex((one) => written.some((form) => one.includes(form)));
  const at = Math.max(0, line);
  const column = Math.max(0, lines[at]?.lastIndexOf(ast.flow) ?? 0) + 1;
  const message = `The flow is called "${ast.flow}" and its folder "${folder}".`;
  const place = { file: origin.file, line: at + 1, column };
  return [findingOf("flow/folder", { flow: ast.flow, ...place, message })];
}

/** The flow that has an id: the one in the folder of that name, else the first. Others with the id are copies and left out. */
function ownerOf(id: string, flows: readonly One[]): One | undefined {
  const twins = flows.filter(({ ast }) => ast.flow === id);
  return twins.find(({ origin }) => folderOf(origin) === id) ?? twins[0];
}

/**
 * An id, or a role for the same people, that another flow has: the runtime could not tell which of the two is meant. A copy,
 * which is left out, takes no role from anybody.
 */
export function takenFindings(
  own: One,
  flows: readonly One[],
  readers: readonly Reader[] = [],
): Finding[] {
  const { flow, role, audience } = own.ast;
  const earlier = flows.slice(0, flows.indexOf(own));
  const owner = ownerOf(flow, flows);
  if (owner !== own) {
    const where = owner?.origin ? ` in ${owner.origin.file}` : "";
    const message = `The flow "${flow}" is there already${where}: give one of them another id.`;
    return [findingOf("flow/twice", { flow, message })];
  }
  if (role === undefined || rolesOf(readers).get(role)?.shared) return [];
  const rival = earlier.find(
    (one) =>
      one.ast.role === role &&
      sharePeople(one.ast.audience, audience) &&
      ownerOf(one.ast.flow, flows) === one,
  );
  if (!rival) return [];
  const message = `The role "${role}" is ${rival.ast.flow}'s already, for the same people.`;
  return [findingOf("flow/role-taken", { flow, message })];
}

/** A role that neither the runtime nor a plugin knows: nothing would ever find the flow by it. */
export function roleFindings({ ast }: One, readers: readonly Reader[]): Finding[] {
  const known = [...ROLES, ...rolesOf(readers).keys()];
  const { flow, role } = ast;
  if (role === undefined || known.includes(role)) return [];
  const message = `No role is called "${role}".${didYouMean(role, known)} There are: ${known.join(", ")}.`;
  return [findingOf("flow/role", { flow, message })];
}

function sharePeople(one: Ast["audience"], other: Ast["audience"]): boolean {
  return one === other || one === "anyone" || other === "anyone";
}

/** Start phrases that an earlier flow of the same audience has: it is undefined which of the two begins. */
export function startFindings(own: One, flows: readonly One[]): Finding[] {
  const earlier = flows
    .slice(0, flows.indexOf(own))
    .filter(({ ast }) => ast.audience === own.ast.audience);
  const taken = new Map<string, string>();
  for (const { ast, texts } of earlier)
    for (const catalogue of Object.values(texts))
      for (const phrase of catalogue.start ?? []) taken.set(foldWords(phrase), ast.flow);
  return Object.values(own.texts).flatMap(({ locale, start = [] }) =>
    start.flatMap((phrase) => {
      const other = taken.get(foldWords(phrase));
      if (other === undefined || other === own.ast.flow) return [];
      const message = `"${phrase}" (${locale}) already begins ${other}, for the same people.`;
      const text = { key: "start", locale };
      return [findingOf("text/start-taken", { flow: own.ast.flow, text, message })];
    }),
  );
}

/** Languages that the bot names and a flow has no texts in: its people are answered in another one. */
export function languageFindings(
  { ast, texts, origin }: One,
  languages: readonly Locale[],
): Finding[] {
  if (Object.keys(texts).length === 0) return [];
  return languages
    .filter((locale) => texts[locale] === undefined)
    .map((locale) => {
      const message = `There is no texts.${locale}.yaml, though config.ts names the language ${locale}.`;
      const about = { flow: ast.flow, file: origin?.file, message };
      return findingOf("text/missing-translation", about);
    });
}
