import fc from "fast-check";
import sharp from "sharp";
import { expect, it } from "vitest";
import { testImage } from "../support/images.ts";
import { createTestInspector } from "../support/inspector.ts";
import { outcomeOf } from "../support/outcome.ts";
import { buildPdf } from "../support/pdfs.ts";

const inspector = createTestInspector();
const isoMedia = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}`, "latin1");

const rejected: [string, string | Buffer | Promise<Buffer>, string][] = [
  ["an empty file", "", "file-empty"],
  ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>', "file-type"],
  ["SVG after a declaration", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "file-type"],
  ["HTML", "<!doctype html><script>alert(1)</script>", "file-type"],
  ["text", "This is a picture.", "file-type"],
  ["a GIF", testImage().gif().toBuffer(), "file-type"],
  ["a TIFF", testImage().tiff().toBuffer(), "file-type"],
  ["an AVIF", testImage().avif({ effort: 0 }).toBuffer(), "file-type"],
  ["a ZIP", Buffer.from("504b0304140000000800", "hex"), "file-type"],
  ["HEIC, which the prebuilt sharp cannot decode", isoMedia("heic"), "file-type"],
  ["HEIF", isoMedia("mif1"), "file-type"],
];

it.each(rejected)("rejects %s", async (_, bytes, rule) => {
  expect(
    await outcomeOf(inspector.inspect(Buffer.from((await bytes) as string), "supporting_document")),
  ).toBe(rule);
});

it("the prebuilt sharp reads AVIF but not HEIC", () => {
  expect(sharp.format.heif.input.fileSuffix).toEqual([".avif"]);
});

it.each(["document_front", "document_back", "selfie"] as const)("rejects a PDF as %s", async (purpose) => {
  expect(await outcomeOf(inspector.inspect(buildPdf(), purpose))).toBe("file-purpose");
});

it("reports what to do, without the content of the file", async () => {
  const message = expect.stringMatching(/^Send a JPEG/);
  const details = { violations: [{ path: ["file"], rule: "file-type", message }] };
  const inspected = inspector.inspect(Buffer.from("a-word-of-the-file"), "selfie");
  await expect(inspected).rejects.toMatchObject({ code: "INVALID_INPUT", details });
});

const png = "89504e470d0a1a0a0000000d49484452";
const signatures = ["ffd8ffe0", "ffd8ffdb", png, "52494646ffffffff57454250", "255044462d312e"];
const hostile = fc
  .tuple(fc.constantFrom("", ...signatures), fc.uint8Array({ maxLength: 2_000 }))
  .map(([signature, rest]) => Buffer.concat([Buffer.from(signature, "hex"), rest]));

it("rejects random bytes and throws no other error", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (bytes) => {
      expect(await outcomeOf(inspector.inspect(bytes, "supporting_document"))).toMatch(/^(file|pdf)-/);
    }),
    { numRuns: 100 },
  );
});
