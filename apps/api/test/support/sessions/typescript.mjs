import { Session } from "node:inspector/promises";
import { createRequire, isBuiltin, stripTypeScriptTypes } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/*
 * Runs the programs of a page, one JSON string a line, with common names. A later program may declare a name again, as in
 * the console of a browser.
 */
const [, , mark] = process.argv;
const { resolve } = createRequire(`${process.cwd()}/`);
globalThis.importFromPage = (name) => import(isBuiltin(name) ? name : pathToFileURL(resolve(name)).href);
const session = new Session();
session.connect();

for await (const line of createInterface({ input: process.stdin })) {
  const expression = `"use strict"; ${withoutImports(stripTypeScriptTypes(JSON.parse(line)))}`;
  const options = { expression, replMode: true, awaitPromise: true };
  const { exceptionDetails } = await session.post("Runtime.evaluate", options);
  if (exceptionDetails) {
    process.stderr.write(exceptionDetails.exception?.description ?? exceptionDetails.text);
    process.exit(1);
  }
  process.stdout.write(`${mark}\n`);
}
process.exit();

/** Replaces static imports, which only modules have. */
function withoutImports(code) {
  return code.replaceAll(
    /^import (?:(\w+)|(\{[^}]*\})) from ("[^"]+");/gm,
    (_, name, names, from) =>
      `const ${name ? `{ default: ${name} }` : names.replaceAll(" as ", ": ")} = await importFromPage(${from});`,
  );
}
