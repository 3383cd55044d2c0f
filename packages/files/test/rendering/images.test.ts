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

  it("of a grey image has a watermark as well", async () => {
    const bytes = await sharp(await plain("grey"))
      .greyscale()
      .jpeg()
      .toBuffer();
    const { bytes: picture } = await createTestRenderer().render({ bytes });
    expect(await plainWindows(picture, { width: 96, height: 96 })).toBe(0);
  });
});

describe("the watermark", () => {
  it.each(["white", "black", "grey", "#a06040"])("is in each part of a page in %s", async (colour) => {
    const { bytes } = await createTestRenderer().render({ bytes: await plain(colour) });
    expect(await plainWindows(bytes, { width: 80, height: 80 })).toBe(0);
    expect(await plainWindows(bytes, { width: 200, height: 30 })).toBe(0);
  });

  it("is in each part of a small picture", async () => {
    const { bytes } = await createTestRenderer().render({ bytes: await plain("white", 320, 240) });
    expect(await plainWindows(bytes, { width: 64, height: 64 })).toBe(0);
  });

  it.each([{ name: "Ada Byron" }, { time: "2026-01-31T12:41:00.000Z" }, { auditId: "4712" }])(
    "depends on $name$time$auditId",
    async (other) => {
      const { render } = createTestRenderer();
      const bytes = await plain("grey", 640, 480);
      const pictures = [
        await render({ bytes }),
        await render({ bytes, watermark: { ...watermark, ...other } }),
      ];
      expect(pictures[0]?.bytes).not.toEqual(pictures[1]?.bytes);
    },
  );

  it.each([
    ...["李小龍", "محمد", "🙂🙂", "", "a\u0000b", "x".repeat(61), "x".repeat(10_000), "</span><b>x"],
    // Invisible, reordered, only spaces, only digits of a script without letters here, and taller than the distance.
    ...["a\u200bb", "\u202eabc", "\u3000".repeat(60), "\u00a0", "· · ·", "٤٧١١", `a${"\u0301".repeat(59)}`],
  ])("shows the person's id for the name %j", async (name) => {
    const { render } = createTestRenderer();
    const bytes = await plain("grey", 640, 480);
    const { personId } = watermark;
    const [shown, expected] = [
      await render({ bytes, watermark: { ...watermark, name } }),
      await render({ bytes, watermark: { ...watermark, name: personId } }),
    ];
    expect(shown.bytes).toEqual(expected.bytes);
  });

  it("shows a name with markup as it is", async () => {
    const { render } = createTestRenderer();
    const bytes = await plain("grey", 640, 480);
    const [markup, text] = [
      await render({ bytes, watermark: { ...watermark, name: "A&amp;B" } }),
      await render({ bytes, watermark: { ...watermark, name: "A&B" } }),
    ];
    expect(markup.bytes).not.toEqual(text.bytes);
  });

  it("shows a decomposed name as the composed one", async () => {
    const { render } = createTestRenderer();
    const bytes = await plain("grey", 640, 480);
    const [decomposed, composed] = [
      await render({ bytes, watermark: { ...watermark, name: "Andre\u0301" } }),
      await render({ bytes, watermark: { ...watermark, name: "Andr\u00e9" } }),
    ];
    expect(decomposed.bytes).toEqual(composed.bytes);
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
