import { scope } from "@cardbridge/domain";
import { errorMapping } from "../../../src/errors/mapping.ts";
import { isCommand, isScript, nounPattern } from "./commands.ts";
import { examples, foreignFiles, foreignPaths, foreignWords, formerNames } from "./foreign.ts";
import {
  isRoute,
  knownDecisions,
  knownFlags,
  knownHeaders,
  knownMetrics,
  knownNames,
  knownOperations,
  knownRules,
  knownVariables,
  nouns,
} from "./known.ts";
import { anchorsOf, type Place, type Statement } from "./pieces.ts";
import {
  folderOf,
  hasName,
  hasPath,
  literals,
  manifests,
  opsWords,
  readIfPage,
  sourceWords,
} from "./project.ts";

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
  /** The languages of blocks that have it; all without. */
  languages?: readonly string[];
  isKnown(value: string, page: Page, statement: Statement): boolean;
}

const shell = ["sh", ""];
const { packageManager = "", scripts = {} } = manifests.get("") ?? {};
const isScope = (value: string) => scope.options.some((known) => known === value);
const isHeader = (name: string) => knownHeaders.has(name.toLowerCase());

/** Every kind of statement that pages make about the project. */
export const kinds: readonly Kind[] = [
  {
    name: "link",
    places: ["prose"],
    pattern: /\]\((?!https?:|\/|#)([^)\s#]+)[^)\s]*\)/g,
    isKnown: (target, { path }) => hasPath(target, [folderOf(path)]),
  },
  {
    name: "anchor",
    places: ["prose"],
    pattern: /\]\((?!https?:|\/)([^)\s#]*#[^)\s]+)\)/g,
    isKnown(target, page) {
      const [path = "", anchor = ""] = target.split("#");
      const markdown = path === "" ? page.markdown : readIfPage(path, folderOf(page.path));
      return markdown === undefined || anchorsOf(markdown).has(anchor);
    },
  },
  {
    name: "path",
    places: ["text"],
    pattern: /(?<![\w./@:-])((?:packages|apps|docs|ops|bench|scripts|\.ci)\/[\w@.*/-]*[\w*/])(?![\w…])/g,
    isKnown: (path) => [...examples, ...foreignFiles].includes(path) || hasPath(path, [""]),
  },
  {
    name: "file",
    places: ["code"],
    pattern: /`((?:[\w@.-]+\/)*[\w@.-]+\.(?:ts|js|mjs|cjs|json|md|sql|ya?ml|sh|service)|(?:[\w@.*-]+\/)+)`/g,
    isKnown(path, page, { before }) {
      const folder = folderOf(page.path);
      const named = [...before.matchAll(/`((?:packages|apps|ops|test|src)\/[\w@./-]*)`/g)].map(
        ([, each = ""]) => (/\.\w+$/.test(each) ? folderOf(each) : each),
      );
      const folders = ["", "/src", "/test"].map((own) => folder + own);
      folders.push("", ...named, ...named.flatMap((each) => folders.map((own) => `${own}/${each}`)));
      if (foreignPaths.test(path) || [...examples, ...foreignFiles].includes(path)) return true;
      if (hasPath(path, folders)) return true;
      return !path.includes("/") && named.length === 0 && hasName(path);
    },
  },
  {
    name: "package",
    places: ["text"],
    pattern: /@cardbridge\/[a-z-]+(?:\/[a-z-]+)*/g,
    isKnown(name) {
      const [group, own, ...rest] = name.split("/");
      const found = [...manifests.values()].find((manifest) => manifest.name === `${group}/${own}`);
      return found !== undefined && (rest.length === 0 || `./${rest.join("/")}` in (found.exports ?? {}));
    },
  },
  {
    name: "pnpm",
    places: ["text", "block"],
    pattern: /\bpnpm@[\d.]+\d/g,
    isKnown: (value) => value === packageManager,
  },
  {
    name: "script",
    places: ["code", "block"],
    languages: shell,
    pattern: /(?:^[ ]*|`|&& |[A-Z_]+=\S+ )((?:npm|npx (?:--yes )?pnpm@[\d.]+|pnpm|turbo) [^`\n#|&;"]+)/gm,
    isKnown: (line, { path }) => isScript(line, folderOf(path)),
  },
  {
    name: "command",
    places: ["code", "block"],
    languages: shell,
    pattern:
      /(?:`|^\$? ?|&& |\$\(|in \$\(|-s |-- |do )(?:cardbridge|(?:node )?(?:\S*\/)?cli\.js) (?![a-z]+\.js|\.)((?:-- )?(?!-- )[a-zA-Z-][^`\n#|&;)"]*)/gm,
    isKnown: isCommand,
  },
  {
    name: "command",
    places: ["code"],
    pattern: new RegExp(`\`((?:${nounPattern}) [a-z][^\`]*)\``, "g"),
    isKnown: isCommand,
  },
  {
    name: "flag",
    places: ["code"],
    pattern: /`(--[a-z][a-z-]*)[^`]*`/g,
    isKnown: (flag) => knownFlags.has(flag),
  },
  {
    name: "variable",
    places: ["code", "block"],
    languages: shell,
    pattern: /(?<![\w$./"'{-])([A-Z][A-Z0-9_]{2,})=/g,
    isKnown: (name, { markdown }) =>
      knownVariables.has(name) ||
      formerNames.includes(name) ||
      new RegExp(`\\$\\{?${name}\\b`).test(markdown),
  },
  {
    name: "name",
    places: ["text"],
    pattern: /(?<![\w./$@<{*-])([A-Z][A-Z0-9]*_[A-Z0-9_]*(?:…|\*)?|(?<=`)[A-Z][A-Z0-9]{2,}(?=`))(?![\w.*-])/g,
    isKnown: (name) =>
      formerNames.includes(name) ||
      (/[…*]$/.test(name)
        ? [...knownNames].some((known) => known.startsWith(name.slice(0, -1)))
        : knownNames.has(name)),
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
    name: "header",
    places: ["text"],
    pattern:
      /(?<=`)((?:x|webhook)-[a-z-]+|[A-Z]\w+(?:-[A-Z]\w+)+)(?=[`:])|(?<![\w`/.-])([A-Z][a-z]+(?:-[A-Z][a-z]+)+)(?![\w-])/g,
    isKnown: isHeader,
  },
  {
    name: "header",
    places: ["block"],
    pattern: /-H ["']([\w-]+):/g,
    isKnown: isHeader,
  },
  {
    name: "scope",
    places: ["text", "block"],
    pattern: /(?<=--scopes (?:[a-z:]+,)*)[a-z]+:[a-z]+|(?<![\w/:.-])[a-z]+:(?:read|write)\b/g,
    isKnown: isScope,
  },
  {
    name: "scope",
    places: ["code"],
    pattern: /`([a-z]+:[a-z]+)`/g,
    isKnown: (value) => isScope(value) || value in scripts || foreignWords.includes(value),
  },
  {
    name: "metric",
    places: ["text", "block"],
    pattern: /\b(?:cardbridge|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g,
    isKnown: (name) => knownMetrics.has(name) || formerNames.includes(name),
  },
  {
    name: "rule",
    places: ["text"],
    pattern: /\b(?:rules?|violation)\s`?([a-z0-9]+(?:-[a-z0-9]+)+)/g,
    isKnown: (id) => knownRules.has(id),
  },
  {
    name: "word",
    places: ["code"],
    pattern: /`([a-z0-9]+(?:-[a-z0-9]+)+)`/g,
    isKnown: (word) =>
      [word, word.replaceAll("-", "_")].some((each) => knownRules.has(each) || literals.has(each)) ||
      hasName(word) ||
      opsWords.has(word) ||
      foreignWords.includes(word) ||
      formerNames.includes(word),
  },
  {
    name: "word",
    places: ["code"],
    pattern: /`(?!cardbridge_|nodejs_|process_)([a-z0-9]+(?:_[a-z0-9]+)+)`/g,
    isKnown: (word) => sourceWords.has(word) || opsWords.has(word) || foreignWords.includes(word),
  },
  {
    name: "operation",
    places: ["text"],
    pattern: new RegExp(
      `(?:(?<=/trpc/)|(?<![\\w/.-]))((?:${nouns})\\.(?!(?:ts|js|mjs|md|json|sql|csv)\\b)[a-z][A-Za-z]+)`,
      "g",
    ),
    isKnown: (id) => knownOperations.has(id) || literals.has(id) || examples.includes(id),
  },
  {
    name: "route",
    places: ["text", "block"],
    pattern: /\b((?:GET|POST|PUT|PATCH|DELETE) \/[^\s`"')|,;]+)/g,
    isKnown: isRoute,
  },
  {
    name: "route",
    places: ["text"],
    pattern:
      /(?:`|127\.0\.0\.1:3000)(\/(?:openapi|trpc|health|docs|provider|files|metrics)\b[^`\s)%]*)(?=[`)])/g,
    isKnown: isRoute,
  },
  {
    name: "decision",
    places: ["text"],
    pattern: /\bG\d+\b/g,
    isKnown: (number) => knownDecisions.has(number),
  },
];
