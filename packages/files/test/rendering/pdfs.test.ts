import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { buildPdf } from "../support/pdfs.ts";
import { createTestRenderer, plainWindows } from "../support/renderer.ts";

const contentType = "application/pdf";
const samples = new URL("../samples/", import.meta.url);
const names = (await readdir(samples)).filter((name) => name.endsWith(".pdf"));

it.each(names)("renders %s with a watermark", async (name) => {
  const bytes = await readFile(new URL(name, samples));
  const page = await createTestRenderer().render({ contentType, bytes });
  expect(Math.max(page.width, page.height)).toBe(2_048);
  expect(page.allPages).toBeGreaterThanOrEqual(1);
  expect(await plainWindows(page.bytes, { width: 96, height: 96 })).toBe(0);
});

it("rejects a page that a PDF does not have", async () => {
  const details = { violations: [{ path: ["page"], rule: "page-exists" }] };
  const rendered = createTestRenderer().render({ contentType, bytes: buildPdf(), page: 2 });
  await expect(rendered).rejects.toMatchObject({ code: "INVALID_INPUT", details });
});

it("rejects a damaged PDF, and renders the next one", async () => {
  const { render } = createTestRenderer({ processes: 1 });
  const damaged = render({ contentType, bytes: Buffer.from("%PDF-1.7\nnothing") });
  await expect(damaged).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(await render({ contentType, bytes: buildPdf() })).toMatchObject({ allPages: 1 });
});
