import { defaultPolicies } from "@cardbridge/domain";
import { createOperations, listOperations } from "@cardbridge/operations";
import { runCommand } from "../../support/command-line.ts";
import { manifests, readFile } from "./project.ts";

const operations = listOperations(createOperations(defaultPolicies));
const flagsIn = (help: string) => help.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];

/** The flags of each command of operators, by its name, such as `records list`; those of all commands by "". */
const flags = new Map<string, Set<string>>();
for (const { id } of operations.filter(({ actors }) => actors.includes("operator"))) {
  const words = id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split(".");
  flags.set(words.join(" "), new Set(flagsIn((await runCommand([...words, "--help"], {})).stdout)));
}
flags.set("", new Set(flagsIn((await runCommand(["--help"], {})).stdout)));

const nouns = new Set([...flags.keys()].map((name) => name.split(" ")[0] ?? ""));
nouns.delete("");

/** A pattern of the nouns of the command line. */
export const nounPattern = [...nouns].join("|");
/** Every flag of the command line. */
export const commandFlags = new Set([...flags.values()].flatMap((each) => [...each]));

/** Whether `records list --stuck` is a command of operators with these flags. */
export function isCommand(line: string): boolean {
  const words = line.split(/\s+/).filter((word) => word !== "" && word !== "--");
  const own = words.filter((word, index) => word !== "--by" && words[index - 1] !== "--by");
  const [noun = "", verb = ""] = own;
  const isPlaceholder = noun === "NOUN" || noun === "" || noun === "…" || noun.startsWith("--");
  const given = own.flatMap((word) => /^--[a-z][a-z-]*/.exec(word) ?? []);
  if (isPlaceholder) return given.every((flag) => flags.get("")?.has(flag));
  if (verb === "" || /^[<…-]/.test(verb)) return nouns.has(noun);
  const known = flags.get(`${noun} ${verb}`);
  return known !== undefined && given.every((flag) => known.has(flag) || flags.get("")?.has(flag));
}

const turboTasks = Object.keys((JSON.parse(readFile("turbo.json")) as { tasks: object }).tasks).map((task) =>
  task.replace(/^.*#/, ""),
);
/** What npm and pnpm do themselves. */
const builtIn = { npm: ["init", "install"], pnpm: ["install", "pack"] };
const npmShort = ["start", "test"];

/**
 * Whether a line of npm, pnpm or turbo, such as `npm run -s cardbridge -- records list`, runs something that exists.
 *
 * @param folder the folder of the page: its package's scripts count as well
 */
export function isScript(line: string, folder: string): boolean {
  const [program = "", ...rest] = line
    .replace(/^npx (?:--yes )?/, "")
    .split(/\s+/)
    .filter((word) => word !== "");
  const tool = program.startsWith("pnpm") ? "pnpm" : program;
  const words = withoutOptions(rest);
  const scripts = [...new Set(["", folder, filterOf(rest)])].flatMap((each) =>
    Object.keys(manifests.get(each)?.scripts ?? {}),
  );
  const [first = "", second = ""] = words;
  if (tool === "turbo" || first === "turbo") {
    const tasks = (tool === "turbo" ? words : words.slice(1)).filter((word) => word !== "run");
    return tasks.length > 0 && tasks.every((task) => turboTasks.includes(task));
  }
  if (first === "run") return scripts.includes(second);
  if (first === "exec") return second !== "";
  if (tool === "npm")
    return builtIn.npm.includes(first) || (npmShort.includes(first) && scripts.includes(first));
  return builtIn.pnpm.includes(first) || scripts.includes(first);
}

/** The words without options of npm, pnpm and turbo, and without what follows `--`. */
function withoutOptions(words: readonly string[]): string[] {
  const end = words.indexOf("--");
  const own = end === -1 ? words : words.slice(0, end);
  return own.filter((word, index) => !word.startsWith("-") && own[index - 1] !== "--filter");
}

/** The folder of the package that `--filter` names. */
function filterOf(words: readonly string[]): string {
  const name = words[words.indexOf("--filter") + 1];
  const [found = ""] =
    [...manifests].find(([, manifest]) => words.includes("--filter") && manifest.name === name) ?? [];
  return found;
}
