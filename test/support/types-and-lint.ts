/**
 * Types and lint over the same program: the compiler's findings first, then the rules, which ask the same checker again and
 * find most of its answers ready. Apart, each of them reads and types the whole house for itself.
 *
 *     npx tsx test/support/types-and-lint.ts     ends with 1 when anything was found
 */
import path from "node:path";
import { ESLint } from "eslint";
import ts from "typescript";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PROJECTS = ["test/tsconfig.json", "src/console/web/tsconfig.json"];
const LINTED = ["src", "flows", "test"];

/** What a project's file says is compiled, its nodes knowing their parents, as the rules need them. */
function programOf(project: string): ts.Program {
  const file = path.join(ROOT, project);
  const parsed = ts.getParsedCommandLineOfConfigFile(
    file,
    { noEmit: true, incremental: false },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (wrong) => {
        throw new Error(told([wrong]));
      },
    },
  );
  if (parsed === undefined) throw new Error(`${file} cannot be read.`);
  const { tsBuildInfoFile: _, ...options } = parsed.options;
  return ts.createProgram({
    rootNames: parsed.fileNames,
    options,
    host: ts.createCompilerHost(options, true),
    configFileParsingDiagnostics: parsed.errors,
  });
}

function told(found: readonly ts.Diagnostic[]): string {
  return ts.formatDiagnostics(found, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => ROOT,
    getNewLine: () => "\n",
  });
}

const programs = PROJECTS.map(programOf);
const wrong = programs.flatMap((program) => ts.getPreEmitDiagnostics(program));
process.stdout.write(told(wrong));

const eslint = new ESLint({
  cwd: ROOT,
  overrideConfigFile: path.join(ROOT, "test/eslint.config.js"),
  overrideConfig: {
    files: ["**/*.ts", "**/*.tsx"],
    languageOptions: { parserOptions: { programs } },
  },
});
const results = await eslint.lintFiles(LINTED);
const formatter = await eslint.loadFormatter("stylish");
process.stdout.write(await formatter.format(results));
const broken = results.some((one) => one.errorCount + one.warningCount > 0);
process.exitCode = wrong.length > 0 || broken ? 1 : 0;
