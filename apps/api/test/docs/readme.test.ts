import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { demoKeys } from "../../src/admission/demo-keys.ts";
import { startTestService } from "../support/test-service.ts";
import { playTour } from "../support/tour.ts";

/** Compares the README with the code. */
const root = new URL("../../../../", import.meta.url);
const readme = await readFile(new URL("README.md", root), "utf8");
const guides = await readdir(new URL("docs/guides/", root));
const configuration = await readFile(new URL("docs/configuration.md", root), "utf8");
const variables = await readFile(new URL("../../src/config/variables.ts", import.meta.url), "utf8");

it.each([
  "README.md",
  "docs/architecture.md",
  "docs/production.md",
  "docs/decisions.md",
  "docs/provider-contract.md",
  "docs/reliability.md",
  "docs/security.md",
  "docs/tests.md",
  ...guides.map((name) => `docs/guides/${name}`),
])("%s references only existing files", async (page) => {
  const text = await readFile(new URL(page, root), "utf8");
  const named = [...text.matchAll(/\b((?:packages|apps)\/[\w-]+\/(?:src|test)\/[\w./-]*\w\/?)/g)].map(
    ([, path = ""]) => path,
  );
  const missing = named.filter((path) => !existsSync(new URL(path, root)));
  expect(missing).toEqual([]);
});

it("has a tour of working commands, from an upload to a card", async ({ onTestFinished }) => {
  const service = await startTestService();
  onTestFinished(service.stop);
  const [submitted, read, cards, alice, bob, ...more] = await playTour(service.url);
  expect(submitted).toMatchObject({ code: "KYC_SUBMITTED", status: "APPROVED" });
  expect(read).toMatchObject({ kycRecordId: submitted.kycRecordId });
  expect(cards).toMatchObject({ total: 1, items: [{ cardAccountId: submitted.cardAccountId }] });
  expect([alice.total, bob.page, more]).toEqual([4, 2, []]);
});

it("contains both demo keys", () => {
  for (const key of Object.values(demoKeys)) expect(readme).toContain(key);
});

it("docs/configuration.md lists exactly the environment variables", () => {
  const declared = [...variables.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name);
  const named = [...configuration.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
  );
  expect(declared.length).toBeGreaterThan(10);
  expect(named.sort()).toEqual(declared.sort());
});
