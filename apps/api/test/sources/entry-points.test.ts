import { expect, it } from "vitest";
import { readSources } from "../support/sources.ts";

/** An entry point reads a request, runs an operation and writes the response. Only boot/ constructs the adapters. */
const adapters = /^@cardbridge\/(store|provider|files|postgres)(\/|$)/;

/** The one exception: the store's own parser reads KEY_RING, so that its errors are reported with all others. */
const exception = "config/formats.ts: @cardbridge/store";

const service = (await readSources()).filter((source) => source.package === "apps/api");
const imports = service.flatMap(({ path, packages }) =>
  packages.filter((name) => adapters.test(name)).map((name) => `${path}: ${name}`),
);

it("only boot/ imports the store, the provider, the files and PostgreSQL", () => {
  const others = imports.filter((one) => !one.startsWith("boot/"));
  expect(others, "Run an operation instead, or construct the part in boot/.").toEqual([exception]);
});
