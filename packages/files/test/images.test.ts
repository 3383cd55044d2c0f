import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createFileInspector } from "../src/index.ts";
import { declaredPng, formats, picture } from "./support/pictures.ts";
import { ruleOf } from "./support/refusal.ts";

const inspector = createFileInspector();
const secret = "hidden-in-the-file";

describe.each(formats)("a %s", (format) => {
  it("comes out as the same format and size, whatever it is for", async () => {
    const bytes = await picture().toFormat(format).toBuffer();
    for (const purpose of ["document_front", "document_back", "selfie", "supporting_document"] as const) {
      const inspected = await inspector.inspect(bytes, purpose);
      expect(inspected.contentType).toBe(`image/${format}`);
      expect(await sharp(inspected.bytes).metadata()).toMatchObject({ format, width: 64, height: 48 });
    }
  });

  it("loses its metadata, where it was taken, and what stands behind it", async () => {
    const tagged = picture()
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

  it("is refused when it is cut off anywhere", async () => {
    const bytes = await picture(200, 200).toFormat(format).toBuffer();
    // The last twelve bytes of a PNG are its mark of the end, and hold nothing of the picture.
    for (let missing = 13; missing < 60; missing += 1) {
      const most = bytes.subarray(0, bytes.length - missing);
      expect([missing, await ruleOf(inspector.inspect(most, "selfie"))]).toEqual([missing, "file-broken"]);
    }
    const cut = fc.integer({ min: 1, max: bytes.length - 60 });
    await fc.assert(
      fc.asyncProperty(cut, async (length) => {
        const rule = await ruleOf(inspector.inspect(bytes.subarray(0, length), "selfie"));
        expect(rule).toBe(rule === "file-type" && length < 60 ? "file-type" : "file-broken");
      }),
      { numRuns: 60 },
    );
  });

  it("never throws anything but a refusal when its bytes are changed", async () => {
    const bytes = await picture().toFormat(format).toBuffer();
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const changed = Buffer.from(bytes);
        for (const [at, value] of changes) changed[at] = value;
        expect(["taken", "file-type", "file-broken", "file-pixels"]).toContain(
          await ruleOf(inspector.inspect(changed, "selfie")),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("is refused when it has more pixels than allowed, and taken when it has as many", async () => {
    const bytes = await picture(50, 20).toFormat(format).toBuffer();
    const inspect = (maxPixels: number) =>
      ruleOf(createFileInspector({ maxPixels }).inspect(bytes, "selfie"));
    expect(await inspect(999)).toBe("file-pixels");
    expect(await inspect(1_000)).toBe("taken");
  });
});

it("refuses a picture that declares 60000 × 60000 pixels", async () => {
  expect(await ruleOf(inspector.inspect(declaredPng(60_000, 60_000), "selfie"))).toBe("file-pixels");
});

it("refuses a picture that declares pixels that it has not", async () => {
  expect(await ruleOf(inspector.inspect(declaredPng(6_000, 6_000), "selfie"))).toBe("file-broken");
});

it("takes the first frame of a picture that moves", async () => {
  const [width, height] = [8, 8];
  const red = await picture(width, height).tint("red").png().toBuffer();
  const frames = await sharp([red, await picture(width, height).png().toBuffer()], {
    join: { animated: true },
  })
    .webp()
    .toBuffer();
  expect((await sharp(frames).metadata()).pages).toBe(2);
  const { bytes } = await inspector.inspect(frames, "selfie");
  const after = await sharp(bytes).metadata();
  expect([after.pages, after.width, after.height]).toEqual([undefined, width, height]);
});

it("keeps the picture that a JPEG also is, and nothing of the PDF and the HTML in it", async () => {
  const jpeg = await picture().jpeg().toBuffer();
  const comment = Buffer.from("%PDF-1.7 <html><script>alert(1)</script></html>");
  const segment = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  const bytes = Buffer.concat([jpeg.subarray(0, 2), segment, comment, jpeg.subarray(2), comment]);
  const inspected = await inspector.inspect(bytes, "supporting_document");
  expect(inspected.contentType).toBe("image/jpeg");
  expect(Buffer.from(inspected.bytes).toString("latin1")).not.toMatch(/PDF|script/);
});
