import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { formats, pngWithDeclaredSize, testImage } from "../support/images.ts";
import { createTestInspector } from "../support/inspector.ts";
import { outcomeOf } from "../support/outcome.ts";

const inspector = createTestInspector();
const secret = "hidden-in-the-file";

describe.each(formats)("a %s", (format) => {
  it("keeps its format and size for every purpose", async () => {
    const bytes = await testImage().toFormat(format).toBuffer();
    for (const purpose of ["document_front", "document_back", "selfie", "supporting_document"] as const) {
      const inspected = await inspector.inspect(bytes, purpose);
      expect(inspected.contentType).toBe(`image/${format}`);
      expect(await sharp(inspected.bytes).metadata()).toMatchObject({ format, width: 64, height: 48 });
    }
  });

  it("is stripped of its metadata, its location and the bytes after it", async () => {
    const tagged = testImage()
      .withMetadata({ orientation: 6 })
      .withExifMerge({
        IFD0: { Artist: secret },
        IFD3: { GPSLatitude: "52/1 31/1 12/1", GPSLatitudeRef: "N" },
      })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${secret}</a></x:xmpmeta>`)
      .toFormat(format);
    const bytes = Buffer.concat([await tagged.toBuffer(), Buffer.from(`<script>${secret}</script>`)]);
    const before = await sharp(bytes).metadata();
    expect(before.exif?.includes(secret)).toBe(true);

    const inspected = await inspector.inspect(bytes, "selfie");
    const after = await sharp(inspected.bytes).metadata();
    expect([after.exif, after.xmp, after.icc, after.iptc, after.orientation]).toEqual(
      Array(5).fill(undefined),
    );
    expect(Buffer.from(inspected.bytes).includes(secret)).toBe(false);
    expect([after.width, after.height]).toEqual([48, 64]);
  });

  it("is rejected when it is truncated at any position", async () => {
    const bytes = await testImage(200, 200).toFormat(format).toBuffer();
    // The last twelve bytes of a PNG are its end marker and contain no pixels.
    for (let missing = 13; missing < 60; missing += 1) {
      const truncated = bytes.subarray(0, bytes.length - missing);
      expect(await outcomeOf(inspector.inspect(truncated, "selfie")), `${missing}`).toBe("file-broken");
    }
    const cut = fc.integer({ min: 1, max: bytes.length - 60 });
    await fc.assert(
      fc.asyncProperty(cut, async (length) => {
        const rule = await outcomeOf(inspector.inspect(bytes.subarray(0, length), "selfie"));
        expect(rule).toBe(rule === "file-type" && length < 60 ? "file-type" : "file-broken");
      }),
      { numRuns: 60 },
    );
  });

  it("throws only violations when its bytes are changed", async () => {
    const bytes = await testImage().toFormat(format).toBuffer();
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const changed = Buffer.from(bytes);
        for (const [at, value] of changes) changed[at] = value;
        expect(["accepted", "file-type", "file-broken", "file-pixels"]).toContain(
          await outcomeOf(inspector.inspect(changed, "selfie")),
        );
      }),
      { numRuns: 100 },
    );
  });
});

it.each([
  [60_000, 60_000, "file-pixels"],
  [6_000, 6_000, "file-pixels"],
  [1_900, 2_000, "file-broken"],
])("rejects an image that declares %i × %i pixels and has almost none: %s", async (width, height, rule) => {
  expect(await outcomeOf(inspector.inspect(pngWithDeclaredSize(width, height), "selfie"))).toBe(rule);
});

it("keeps the first frame of an animated image", async () => {
  const [width, height] = [8, 8];
  const red = await testImage(width, height).tint("red").png().toBuffer();
  const frames = await sharp([red, await testImage(width, height).png().toBuffer()], {
    join: { animated: true },
  })
    .webp()
    .toBuffer();
  expect((await sharp(frames).metadata()).pages).toBe(2);
  const { bytes } = await inspector.inspect(frames, "selfie");
  const after = await sharp(bytes).metadata();
  expect([after.pages, after.width, after.height]).toEqual([undefined, width, height]);
});

it("keeps the image of a JPEG and drops the PDF and the HTML inside it", async () => {
  const jpeg = await testImage().jpeg().toBuffer();
  const comment = Buffer.from("%PDF-1.7 <html><script>alert(1)</script></html>");
  const segment = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  const bytes = Buffer.concat([jpeg.subarray(0, 2), segment, comment, jpeg.subarray(2), comment]);
  const inspected = await inspector.inspect(bytes, "supporting_document");
  expect(inspected.contentType).toBe("image/jpeg");
  expect(Buffer.from(inspected.bytes).toString("latin1")).not.toMatch(/PDF|script/);
});
