import { readdir, readFile } from "node:fs/promises";
import { Failure } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
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

describe("a PDF that cannot be rendered", () => {
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => "rendered",
      (error: unknown) => (error instanceof Failure ? error : error),
    );

  it("has fewer pages", async () => {
    const { render } = createTestRenderer();
    const failure = await failureOf(render({ contentType, bytes: buildPdf(), page: 2 }));
    expect(failure).toMatchObject({
      code: "INVALID_INPUT",
      details: { violations: [{ path: ["page"], rule: "page-exists" }] },
    });
  });

  it("is damaged, and the next one is rendered", async () => {
    const { render } = createTestRenderer({ processes: 1 });
    const damaged = Buffer.from("%PDF-1.7\nnothing");
    expect(await failureOf(render({ contentType, bytes: damaged }))).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    expect(await failureOf(render({ contentType, bytes: buildPdf() }))).toBe("rendered");
  });
});
