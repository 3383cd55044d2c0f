import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, it } from "vitest";
import { pdfOfDraws } from "../support/costly-pdfs.ts";
import { testImage } from "../support/images.ts";
import { createTestInspector } from "../support/inspector.ts";
import { outcomeOf } from "../support/outcome.ts";
import { buildPdf } from "../support/pdfs.ts";

/** A PDF is rendered once at its upload, so that no reviewer finds a page that cannot be rendered. */
let slots = 0;
const countSlot = <T>(_: string, work: () => Promise<T>) => {
  slots += 1;
  return work();
};
const inspector = createTestInspector();
const inspect = async (bytes: Uint8Array, { inspect } = inspector) =>
  outcomeOf(inspect(bytes, "supporting_document"));

async function scanOf(pages: number): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const photo = await pdf.embedJpg(await testImage(600, 800).jpeg().toBuffer());
  for (let page = 0; page < pages; page += 1) pdf.addPage([600, 800]).drawImage(photo);
  return Buffer.from(await pdf.save());
}

it("rejects a small PDF whose pages are dear to render", async () => {
  const bytes = await pdfOfDraws({ pages: 10, draws: 150, side: 6_000 });
  expect(bytes.length).toBeLessThan(250_000);
  expect(await inspect(bytes)).toBe("pdf-too-complex");
});

it("accepts a scan of ten pages", async () => {
  expect(await inspect(await scanOf(10))).toBe("accepted");
});

it("takes a slot for each part of the pages that people can see", async () => {
  // Each part has one page.
  const inspector = createTestInspector({ runInSlot: countSlot, pagesMs: 0 });
  expect(await inspect(await scanOf(12), inspector)).toBe("accepted");
  expect(slots).toBe(10);
});

it.each([
  ["has no pages", "2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n"],
  ["has no tree of pages", "1 0 obj\n<< /Type /Catalog >>\nendobj\n"],
])("rejects a PDF that %s for the renderer", async (_, object) => {
  expect(await inspect(buildPdf({ objects: [object] }))).toBe("file-broken");
});
