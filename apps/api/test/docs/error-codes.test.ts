import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { errorCodesSection } from "../../src/docs/error-codes.ts";

const page = new URL("../../../../docs/guides/errors.md", import.meta.url);

it("docs/guides/errors.md has every code and every reason; pnpm docs:errors updates the page", async () => {
  const [written = ""] = (await readFile(page, "utf8")).split("## Codes\n");
  await expect(written + errorCodesSection()).toMatchFileSnapshot(page.pathname);
});
