import { defaultPolicies, messages, webhookPayloads } from "@cardbridge/domain";
import { createOperations, eventPasses, listOperations, workerPasses } from "@cardbridge/operations";
import { createClient } from "../../../../../packages/client/src/index.ts";
import { secretVariables, variables } from "../../../src/config/variables.ts";
import { fakeApp } from "../../support/fakes.ts";
import { idleMetrics } from "../../support/metrics.ts";
import { publishedRuleIds } from "../../support/rule-ids.ts";
import { commandFlags } from "./commands.ts";
import { foreignFlags, foreignHeaders, foreignNames, foreignVariables, formerNames } from "./foreign.ts";
import { filesWhere, literals, readFile, sources, tools } from "./project.ts";

/** What exists, as the code says it. */

const namesIn = (texts: readonly string[], pattern: RegExp) =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name));

/** With the files of those that are secrets. */
const consoleVariables = namesIn(
  [readFile("apps/console/src/server/config/variables.ts")],
  /^ {2}([A-Z][A-Z_]+): /gm,
).flatMap((name) => [name, `${name}_FILE`]);
export const knownVariables = new Set([
  ...Object.keys(variables.shape),
  ...secretVariables.map((name) => `${name}_FILE`),
  // The sandbox and the console declare their variables as the service does. Tests and tools read theirs one by one.
  ...namesIn([readFile("apps/sandbox/src/env.ts")], /^ {4}([A-Z][A-Z_]+): z/gm),
  ...consoleVariables,
  ...namesIn(tools, /\b(?:process\.)?env\.([A-Z][A-Z0-9_]+)/g),
  ...namesIn(tools, /\{ ([A-Z][A-Z0-9_]+)(?:: \w+)?[^}]*\} = process\.env/g),
  ...namesIn(tools, /(?:\$\{|^ARG |^ENV )([A-Z][A-Z0-9_]+)\b/gm),
  ...foreignVariables,
]);
export const knownNames = new Set([
  ...knownVariables,
  ...literals,
  ...Object.keys(messages),
  ...namesIn(tools, /["'`]([A-Z][A-Z0-9_]+)["'`]/g),
  ...foreignNames,
]);

const operations = listOperations(createOperations(defaultPolicies)).map(({ id }) => id);
const client = Object.entries(createClient({ baseUrl: "http://127.0.0.1", apiKey: "cb_test_" }));
const clientMethods = client.flatMap(([noun, verbs]) => Object.keys(verbs).map((verb) => `${noun}.${verb}`));
export const knownOperations = new Set<string>([
  ...operations,
  ...clientMethods,
  ...workerPasses,
  ...eventPasses,
  ...webhookPayloads.map(({ type }) => type),
  "kyc.changes",
]);
/** A pattern of the nouns of operations. */
export const nouns = [...new Set([...knownOperations].map((id) => id.split(".")[0] ?? ""))].join("|");

const knownRoutes = [
  ...fakeApp().app.routes.filter(({ method }) => method !== "ALL"),
  // The metrics and the other programs have listeners of their own.
  ...filesWhere((path) =>
    /^apps\/(?:sandbox|airwallex-fake|console)\/src\/|^apps\/api\/src\/telemetry\/metrics\.ts$/.test(path),
  ).flatMap((path) =>
    [...readFile(path).matchAll(/\.(get|post|put|patch|delete)\("(\/[^"]*)"/g)].map(
      ([, method = "", path = ""]) => ({ method: method.toUpperCase(), path }),
    ),
  ),
];

const scrape = await idleMetrics().text();
export const knownMetrics = new Set([
  ...[...scrape.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? ["", "_bucket", "_sum", "_count"].map((suffix) => name + suffix) : [name],
  ),
  ...namesIn([readFile("apps/console/src/server/telemetry/metrics.ts")], /"(cardbridge_console_\w+)"/g),
  // The roles of the database are called alike.
  ...namesIn(
    [readFile("ops/compose/postgres/create-roles.sh"), ...sources],
    /\b(cardbridge_(?:app|backup|operators|owner|service))\b/g,
  ),
]);

export const knownRules = new Set([
  ...publishedRuleIds(),
  ...namesIn(sources, /\b(?:rule: |ormat\(\s*)"([a-z0-9-]+)"/g),
]);
export const knownFlags = new Set([
  ...commandFlags,
  ...foreignFlags,
  ...tools.flatMap((text) => text.match(/--[a-z][a-z-]*/g) ?? []),
]);
/** In lower case. */
export const knownHeaders = new Set(
  [...literals, ...foreignHeaders, ...formerNames].map((text) => text.toLowerCase()),
);
export const knownDecisions = new Set(namesIn([readFile("docs/platforms/decisions.md")], /^## (G\d+) /gm));

/** Whether a request such as `GET /openapi/v1/cards/list` has a route, of any method if it names none. */
export function isRoute(request: string): boolean {
  const [path = "", method] = request.split(" ").reverse();
  const parts = path.replace(/[?#…].*$/, "").split("/");
  return knownRoutes.some((route) => {
    const own = route.path.split("/");
    const fits = parts.every((part, index) => own[index] === part || /^[:*]/.test(own[index] ?? ""));
    return fits && (method === undefined || method === route.method);
  });
}
