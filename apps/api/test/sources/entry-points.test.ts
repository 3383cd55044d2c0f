import { expect, it } from "vitest";
import { readSources, type Source } from "../support/sources.ts";

/** An entry point reads a request, runs an operation and writes the response. Only boot/ constructs the adapters. */
const adapters = /^@cardbridge\/(service\/database|provider|files|postgres)(\/|$)/;

/** The one exception: the database's own parser reads KEY_RING, so that its errors are reported with all others. */
const exception = "config/formats.ts: @cardbridge/service/database";

const sources = await readSources();
const service = sources.filter((source) => source.package === "apps/api");
const imports = service.flatMap(({ path, packages }) =>
  packages.filter((name) => adapters.test(name)).map((name) => `${path}: ${name}`),
);

it("only boot/ imports the database, the provider, the files and PostgreSQL", () => {
  const others = imports.filter((one) => !one.startsWith("boot/"));
  expect(others, "Run an operation instead, or construct the part in boot/.").toEqual([exception]);
});

it("the tree of operations loads without a driver of PostgreSQL", () => {
  const own = new Map<string, Source>();
  for (const source of sources) if (source.package === "packages/service") own.set(source.path, source);
  const reached = new Set(["index.ts"]);
  for (const path of reached) for (const file of own.get(path)?.loads.files ?? []) reached.add(file);
  const imported = [...reached].flatMap((path) => own.get(path)?.loads.packages ?? []);
  expect(reached.size).toBeGreaterThan(100);
  expect(imported.filter((name) => /^pg$|node-postgres/.test(name))).toEqual([]);
});
