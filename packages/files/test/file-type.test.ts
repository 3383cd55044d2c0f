import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { testInspector } from "./support/inspector.ts";
import { handmade } from "./support/pdfs.ts";
import { picture } from "./support/pictures.ts";
import { ruleOf } from "./support/refusal.ts";

const inspector = testInspector();
const isoMedia = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}`, "latin1");

const refused: [string, string | Buffer | Promise<Buffer>, string][] = [
  ["nothing", "", "file-empty"],
  [
    "SVG",
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9"/></svg>',
    "file-type",
  ],
  ["SVG behind a declaration", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "file-type"],
  ["HTML", "<!doctype html><script>alert(1)</script>", "file-type"],
  ["text", "A picture, honestly.", "file-type"],
  ["a GIF", picture().gif().toBuffer(), "file-type"],
  ["a TIFF", picture().tiff().toBuffer(), "file-type"],
  ["an AVIF", picture().avif({ effort: 0 }).toBuffer(), "file-type"],
  ["a ZIP", Buffer.from("504b0304140000000800", "hex"), "file-type"],
  ["HEIC, which the prebuilt sharp cannot read", isoMedia("heic"), "file-type"],
  ["HEIF", isoMedia("mif1"), "file-type"],
];

it.each(refused)("refuses %s", async (_, bytes, rule) => {
  expect(await ruleOf(inspector.inspect(Buffer.from((await bytes) as string), "supporting_document"))).toBe(
    rule,
  );
});

it("knows by its reader whether HEIC has to be refused", () => {
  expect(sharp.format.heif.input.fileSuffix).toEqual([".avif"]);
});

describe.each(["document_front", "document_back", "selfie"] as const)("a PDF as %s", (purpose) => {
  it("is refused", async () => {
    expect(await ruleOf(inspector.inspect(handmade(), purpose))).toBe("file-purpose");
  });
});

it("tells what to do, and nothing of the file", async () => {
  await expect(inspector.inspect(Buffer.from("a-word-of-the-file"), "selfie")).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: {
      violations: [
        {
          path: ["file"],
          rule: "file-type",
          message: expect.stringMatching(/^Send a JPEG/),
        },
      ],
    },
  });
});

const beginnings = [
  "ffd8ffe0",
  "ffd8ffdb",
  "89504e470d0a1a0a0000000d49484452",
  "52494646ffffffff57454250",
  "255044462d312e",
];
const hostile = fc
  .tuple(fc.constantFrom("", ...beginnings), fc.uint8Array({ maxLength: 2_000 }))
  .map(([beginning, rest]) => Buffer.concat([Buffer.from(beginning, "hex"), rest]));

it("refuses random bytes, and throws nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (bytes) => {
      expect(await ruleOf(inspector.inspect(bytes, "supporting_document"))).toMatch(/^(file|pdf)-/);
    }),
    { numRuns: 100 },
  );
});
