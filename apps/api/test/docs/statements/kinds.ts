import { answerTypes, defaultPolicies, messages, webhookPayloads } from "@cardbridge/domain";
import { createOperations, eventPasses, listOperations, workerPasses } from "@cardbridge/service";
import { createClient } from "../../../../../packages/client/src/index.ts";
import { removedVariables, secretVariables, variables } from "../../../src/config/variables.ts";
import { errorMapping } from "../../../src/http/errors/mapping.ts";
import { anchorsOf, type Place } from "./pieces.ts";
import { folderOf, hasName, hasPath, literals, manifests, readFile, readIfPage, tools } from "./project.ts";

export interface Page {
  /** Its path from the root. */
  path: string;
  markdown: string;
}

/** A kind of statement: where it is, what it looks like, and what exists. */
export interface Kind {
  name: string;
  places: readonly Place[];
  /** Its first group, if it has one, is the value. */
  pattern: RegExp;
  isKnown(value: string, page: Page): boolean;
}

/** Words of the pages that no code of ours defines: of other systems, of examples, and of former releases. */
const foreign: readonly string[] = [
  ...[
    "CHECK",
    "COMPOSE_PROFILES",
    "CREATEROLE",
    "FATAL",
    "NODE_EXTRA_CA_CERTS",
    "ON_ERROR_STOP",
    "WRONGPASS",
  ],
  ...["OAUTH_WWW_AUTHENTICATE_CHALLENGE", "CARDHOLDER", "ID_COPY", "PROOF_OF_ADDRESS"],
];
/** Paths that exist where programs run, and not in the project. */
const foreignPaths =
  /^(?:\.data|node_modules|secrets|postgres|credentials\.json|person\.json|access)(?:\/|$)/;

const namesIn = (texts: readonly string[], pattern: RegExp) =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name));

/** The sandbox and the console declare their variables as the service does. Tests and tools read theirs one by one. */
const declared = [
  ...namesIn([readFile("apps/console/src/server/config/variables.ts")], /^ {2}([A-Z][A-Z_]+): /gm),
  ...namesIn([readFile("apps/sandbox/src/env.ts")], /^ {4}([A-Z][A-Z_]+): z/gm),
  ...secretVariables,
];
const knownNames = new Set<string>([
  ...Object.keys({ ...variables.shape, ...removedVariables }),
  ...declared.flatMap((name) => [name, `${name}_FILE`]),
  ...namesIn(tools, /\b(?:process\.)?env\.([A-Z][A-Z0-9_]+)/g),
  ...namesIn(tools, /(?:\$\{|^ARG |^ENV |["'`])([A-Z][A-Z0-9_]+)\b/gm),
  ...literals,
  ...Object.keys(messages),
  ...answerTypes,
]);

const operations = listOperations(createOperations(defaultPolicies)).map(({ id }) => id);
const client = Object.entries(createClient({ baseUrl: "http://127.0.0.1", apiKey: "cb_test_" }));
const clientMethods = client.flatMap(([noun, verbs]) => Object.keys(verbs).map((verb) => `${noun}.${verb}`));
const eventTypes = webhookPayloads.map(({ type }) => type);
const knownOperations = new Set<string>([
  ...[...operations, ...clientMethods, ...workerPasses, ...eventPasses, ...eventTypes],
  "kyc.changes",
]);
/** Patterns of the nouns of operations and of commands. */
const nouns = [...new Set([...knownOperations].map((id) => id.split(".")[0]))].join("|");
const commands = operations.map((id) =>
  id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(".", " "),
);
const commandNouns = [...new Set(commands.map((command) => command.split(" ")[0]))].join("|");

/** Every kind of statement that pages make about the project. */
export const kinds: readonly Kind[] = [
  {
    name: "link",
    places: ["prose"],
    pattern: /\]\((?!https?:|\/)([^)\s]+)[^)]*\)/g,
    isKnown(target, { path, markdown }) {
      const [file = "", anchor] = target.split("#");
      if (file !== "" && !hasPath(file, folderOf(path))) return false;
      const linked = file === "" ? markdown : readIfPage(file, folderOf(path));
      return anchor === undefined || linked === undefined || anchorsOf(linked).has(anchor);
    },
  },
  {
    name: "path",
    places: ["text"],
    pattern: /(?<![\w./@:-])((?:packages|apps|docs|ops|bench|scripts|\.ci)\/[\w@.*/-]*[\w*/])(?![\w…])/g,
    isKnown: (path) => foreign.includes(path) || hasPath(path),
  },
  {
    name: "file",
    places: ["code"],
    pattern: /`((?:[\w@.-]+\/)*[\w@.-]+\.(?:ts|js|mjs|cjs|json|md|sql|ya?ml|sh|service)|(?:[\w@.-]+\/)+)`/g,
    isKnown: (path) => foreign.includes(path) || foreignPaths.test(path) || hasName(path),
  },
  {
    name: "script",
    places: ["code", "blocks"],
    pattern: /\bnpm (?:run )?(?:-s )?(?!run|install\b|init\b)([a-z][\w:-]*)/g,
    isKnown: (script, { path }) =>
      ["", folderOf(path)].some((folder) => script in (manifests.get(folder)?.scripts ?? {})),
  },
  {
    name: "name",
    places: ["text"],
    pattern: /(?<![\w./$@<{*-])([A-Z][A-Z0-9]*_[A-Z0-9_]*(?:…|\*)?|(?<=`)[A-Z][A-Z0-9]{2,}(?=`))(?![\w.*-])/g,
    isKnown: isName,
  },
  {
    name: "name",
    places: ["code", "blocks"],
    pattern: /(?<![\w$./"'{-])([A-Z][A-Z0-9_]{2,})=/g,
    isKnown: (name, { markdown }) => isName(name) || new RegExp(`\\$\\{?${name}\\b`).test(markdown),
  },
  {
    name: "error",
    places: ["text"],
    pattern: /\b([45]\d\d\s(?:\|\s)?(?:\[|`)*[A-Z]+_[A-Z_]+)/g,
    isKnown(value) {
      const [status, code = ""] = value.split(/[^\w]+/);
      const mapping = Object.entries(errorMapping).find(([known]) => known === code)?.[1];
      return mapping?.status === Number(status);
    },
  },
  {
    name: "operation",
    places: ["text"],
    pattern: new RegExp(
      `(?:(?<=/trpc/)|(?<![\\w/.-]))((?:${nouns})\\.(?!(?:ts|js|mjs|md|json|sql|csv)\\b)[a-z][A-Za-z_]+)`,
      "g",
    ),
    isKnown: (id) => knownOperations.has(id) || literals.has(id) || foreign.includes(id),
  },
  {
    name: "command",
    places: ["code", "blocks"],
    pattern: new RegExp(`cardbridge (?:-- )?((?:${commandNouns}) [a-z-]+)`, "g"),
    isKnown: (command) => commands.includes(command),
  },
];

/** Whether it is a variable, an error code or another name in capitals; with `…`, the start of one. */
function isName(name: string): boolean {
  if (foreign.includes(name)) return true;
  const start = /^(.*)[…*]$/.exec(name)?.[1];
  return start === undefined ? knownNames.has(name) : [...knownNames].some((one) => one.startsWith(start));
}
