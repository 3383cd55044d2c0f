import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { describe, expect, inject, it } from "vitest";
import { createTempFolder } from "../support/folder.ts";
import { testImage } from "../support/images.ts";
import { createTestRenderer, pixelsOf, plainWindows, watermark } from "../support/renderer.ts";

const plain = (colour: string, width = 1_600, height = 1_200) =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();

describe("the picture", () => {
  it.each([
    { width: 3_000, height: 1_500, expected: [2_048, 1_024] },
    { width: 300, height: 2_400, expected: [256, 2_048] },
    { width: 640, height: 480, expected: [640, 480] },
    { width: 12, height: 9, expected: [12, 9] },
  ])("of $width × $height is a WebP of at most 2,048 pixels", async ({ width, height, expected }) => {
    const { render } = createTestRenderer();
    const rendered = await render({ bytes: await testImage(width, height).jpeg().toBuffer() });
    const metadata = await sharp(rendered.bytes).metadata();
    expect(metadata).toMatchObject({ format: "webp", width: expected[0], height: expected[1] });
    expect(rendered).toMatchObject({ width: expected[0], height: expected[1], allPages: 1 });
    expect(metadata.exif).toBeUndefined();
  });

  it("is upright", async () => {
    const half = { create: { width: 200, height: 200, channels: 3 as const, background: "red" } };
    const bytes = await sharp({ create: { width: 400, height: 200, channels: 3, background: "blue" } })
      .composite([{ input: half, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { at, ...size } = await pixelsOf((await createTestRenderer().render({ bytes })).bytes);
    expect(size).toEqual({ width: 200, height: 400 });
    const [[topRed = 0, , topBlue = 0], [bottomRed = 0, , bottomBlue = 0]] = [at(3, 3), at(3, 396)] as [
      number[],
      number[],
    ];
    expect([topRed > topBlue, bottomBlue > bottomRed]).toEqual([true, true]);
  });

  it.each(["png", "webp"] as const)("of a transparent %s is on white", async (format) => {
    const background = { r: 255, g: 0, b: 0, alpha: 0 };
    const bytes = await sharp({ create: { width: 300, height: 300, channels: 4, background } })
      .toFormat(format)
      .toBuffer();
    const { render } = createTestRenderer();
    const { bytes: picture } = await render({ bytes, contentType: `image/${format}` });
    const { channels } = await sharp(picture).stats();
    expect(channels.map(({ max }) => max)).toEqual([255, 255, 255]);
  });
});

describe("the watermark", () => {
  it.each(["white", "black", "grey", "#a06040"])("is in each part of a page in %s", async (colour) => {
    const { bytes } = await createTestRenderer().render({ bytes: await plain(colour) });
    expect(await plainWindows(bytes, { width: 80, height: 80 })).toBe(0);
    expect(await plainWindows(bytes, { width: 200, height: 30 })).toBe(0);
  });

  it("is in each part of a small picture, and of one without colours", async () => {
    const small = await createTestRenderer().render({ bytes: await plain("white", 320, 240) });
    expect(await plainWindows(small.bytes, { width: 64, height: 64 })).toBe(0);
    const grey = sharp(await plain("grey"))
      .greyscale()
      .jpeg();
    const { bytes } = await createTestRenderer().render({ bytes: await grey.toBuffer() });
    expect(await plainWindows(bytes, { width: 96, height: 96 })).toBe(0);
  });

  /** The pictures of a page with each of these changes of its watermark. */
  async function renderWith(...changes: Partial<typeof watermark>[]) {
    const { render } = createTestRenderer();
    const bytes = await plain("grey", 640, 480);
    const rendered: Uint8Array[] = [];
    for (const change of changes)
      rendered.push((await render({ bytes, watermark: { ...watermark, ...change } })).bytes);
    return rendered;
  }

  it.each([{ name: "Ada Byron" }, { time: "2026-01-31T12:41:00.000Z" }, { auditId: "4712" }])(
    "depends on $name$time$auditId",
    async (change) => {
      const [one, other] = await renderWith({}, change);
      expect(one).not.toEqual(other);
    },
  );

  it.each([
    ...["李小龍", "محمد", "🙂🙂", "", "a\u0000b", "x".repeat(61), "x".repeat(10_000), "</span><b>x"],
    // Invisible, reordered, only spaces, only digits of a script without letters here, and taller than the distance.
    ...["a\u200bb", "\u202eabc", "\u3000".repeat(60), "\u00a0", "· · ·", "٤٧١١", `a${"\u0301".repeat(59)}`],
  ])("shows the person's id for the name %j", async (name) => {
    const [shown, expected] = await renderWith({ name }, { name: watermark.personId });
    expect(shown).toEqual(expected);
  });

  it("shows a name with markup as it is, and a decomposed name as the composed one", async () => {
    const [markup, text] = await renderWith({ name: "A&amp;B" }, { name: "A&B" });
    expect(markup).not.toEqual(text);
    const [decomposed, composed] = await renderWith({ name: "Andre\u0301" }, { name: "Andr\u00e9" });
    expect(decomposed).toEqual(composed);
  });

  it("needs no font of the system", async () => {
    const program = join(await createTempFolder(), "without-fonts.mjs");
    const without = `Object.assign(process.env, { FONTCONFIG_FILE: "/none", FONTCONFIG_PATH: "/none" });`;
    await writeFile(program, `${without}\nawait import(${JSON.stringify(inject("renderer"))});`);
    const bytes = await plain("grey", 640, 480);
    const [without_, with_] = [
      await createTestRenderer({ program: pathToFileURL(program) }).render({ bytes }),
      await createTestRenderer().render({ bytes }),
    ];
    expect(without_.bytes).toEqual(with_.bytes);
  });
});
