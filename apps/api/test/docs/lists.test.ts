import { defaultPolicies, platformScope } from "@cardbridge/domain";
import { createOperations, listOperations } from "@cardbridge/service";
import { expect, it } from "vitest";
import { createClient } from "../../../../packages/client/src/index.ts";
import { demoKeys } from "../../src/admission/api-key.ts";
import { variables } from "../../src/config/variables.ts";
import { readFile } from "./statements/project.ts";

/** Pages that list everything of a kind. That each of it exists is in statements.test.ts. */

const all = listOperations(createOperations(defaultPolicies));
const codesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
/** The rows of the page's tables whose first cell is code. */
const rowsOf = (page: string) =>
  [...readFile(page).matchAll(/^\| (`.*?) \| (.*) \|$/gm)].map(([, first = "", rest = ""]) => ({
    first,
    rest,
  }));

it("docs/operate/configuration.md lists exactly the environment variables", () => {
  const named = rowsOf("docs/operate/configuration.md").flatMap(({ first }) => codesIn(first));
  expect(named.sort()).toEqual(Object.keys(variables.shape).sort());
});

it("docs/operate/console.md has the console's demo key", () => {
  expect(readFile("docs/operate/console.md")).toContain(`--key ${demoKeys.console}\n`);
});

it("packages/client/README.md lists every method", () => {
  const client = createClient({ baseUrl: "http://127.0.0.1", apiKey: "cb_test_" });
  const methods = Object.entries(client).flatMap(([noun, verbs]) =>
    Object.keys(verbs).map((verb) => `${noun}.${verb}`),
  );
  const listed = rowsOf("packages/client/README.md").flatMap(({ first }) => codesIn(first));
  const named = listed.flatMap((code) => /^(\w+\.\w+)\(/.exec(code)?.[1] ?? []);
  expect(named.sort()).toEqual(methods.sort());
});

it("docs/operate/platforms-and-keys.md names every scope of platforms", () => {
  const text = readFile("docs/operate/platforms-and-keys.md");
  expect(platformScope.options.filter((scope) => !text.includes(`\`${scope}\``))).toEqual([]);
});

it("docs/operate/command-line.md lists every command", () => {
  const commands = all
    .filter(({ actors }) => actors.includes("operator"))
    .map(({ id }) => id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(".", " "));
  const nouns = new Set(commands.map((command) => command.split(" ")[0]));
  const prose = readFile("docs/operate/command-line.md").replaceAll(/^```[\s\S]*?^```$/gm, "");
  const named = codesIn(prose)
    .map((code) => code.split(" ").slice(0, 2))
    .filter(([noun = "", verb]) => nouns.has(noun) && verb !== undefined);
  expect([...new Set(named.map((words) => words.join(" ")))].sort()).toEqual(commands.sort());
});

it("docs/operate/audit.md lists every operation that is audited", () => {
  const [, audit = ""] =
    /^## What is recorded\n([\s\S]*?)^## /m.exec(readFile("docs/operate/audit.md")) ?? [];
  const listed = codesIn(audit);
  expect(all.filter(({ audit, id }) => audit.length > 0 && !listed.includes(id)).map(({ id }) => id)).toEqual(
    [],
  );
});
