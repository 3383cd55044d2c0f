import { createRequire } from "node:module";
import type { PageToRender } from "@cardbridge/domain";
import { loadSharp } from "../processes/load-sharp.ts";
import type { Pixels } from "./rendered.ts";

type Texts = PageToRender["watermark"];

/** How much a pixel of the watermark covers the picture. */
const opacity = 0.4;
const angle = (-25 * Math.PI) / 180;
const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
/** How far each line is moved against the line before, as a part of its length, so that the gaps are not in a row. */
const shift = 0.382;

/**
 * The composed letters that the font has and that need no shaping, with digits and signs between them. Marks on marks
 * would be taller than the distance of the lines. Other names are replaced by the id of the person.
 */
const drawable = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9 .,'’&@()_-]{1,60}$/u;
const hasLetter = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** Pixels of a line of text: black and white, each with its coverage. */
interface Line {
  width: number;
  height: number;
  /** The length of the line with the gap behind it, and the distance to the next one. */
  period: number;
  distance: number;
  /** Two bytes for each pixel: the brightness and the coverage. */
  pixels: Uint8Array;
}

/**
 * Draws the texts over a whole page, line by line along its diagonal: white with a black shadow, so that they are visible
 * on each background. The lines are closer to each other than a face or a number is high.
 */
export async function drawWatermark(page: Pixels, texts: Texts): Promise<void> {
  const line = await drawLine(
    textOf(texts),
    Math.max(12, Math.round(Math.max(page.width, page.height) / 95)),
  );
  const { data, width, height, channels } = page;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const across = x * sin + y * cos;
      const row = Math.floor(across / line.distance);
      const v = Math.floor(across - row * line.distance);
      if (v >= line.height) continue;
      const along = x * cos - y * sin + row * shift * line.period;
      const u = Math.floor(along - Math.floor(along / line.period) * line.period);
      if (u >= line.width) continue;
      const from = (v * line.width + u) * 2;
      const coverage = ((line.pixels[from + 1] ?? 0) / 255) * opacity;
      if (coverage === 0) continue;
      const brightness = line.pixels[from] ?? 0;
      const to = (y * width + x) * channels;
      for (let channel = to; channel < to + 3; channel += 1) {
        const before = data[channel] ?? 0;
        data[channel] = before + (brightness - before) * coverage;
      }
    }
  }
}

/** The text of a line. */
function textOf({ name, personId, time, auditId }: Texts): string {
  const composed = name.normalize("NFC");
  const shown = drawable.test(composed) && hasLetter.test(composed) ? composed : personId;
  return `${shown} · ${time} · ${auditId}`;
}

/** Draws a line of text with the bundled font. `size` is in pixels. */
async function drawLine(text: string, size: number): Promise<Line> {
  const sharp = await loadSharp();
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="white">${escapeMarkup(text)}</span>`,
      font: `DejaVu Sans ${size}`,
      fontfile: createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
      dpi: 72,
      rgba: true,
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const offset = Math.max(1, Math.round(size / 14));
  const [width, height] = [info.width + offset, info.height + offset];
  const pixels = new Uint8Array(width * height * 2);
  for (let y = 0; y < info.height; y += 1) {
    for (let x = 0; x < info.width; x += 1) {
      const covered = data[(y * info.width + x) * info.channels + 3] ?? 0;
      const shadow = ((y + offset) * width + x + offset) * 2 + 1;
      pixels[shadow] = Math.max(pixels[shadow] ?? 0, covered);
    }
  }
  for (let y = 0; y < info.height; y += 1) {
    for (let x = 0; x < info.width; x += 1) {
      const covered = data[(y * info.width + x) * info.channels + 3] ?? 0;
      if (covered === 0) continue;
      const at = (y * width + x) * 2;
      pixels[at] = covered;
      pixels[at + 1] = Math.max(pixels[at + 1] ?? 0, covered);
    }
  }
  return { width, height, period: width + 2 * size, distance: Math.round(2.6 * size), pixels };
}

/** Pango reads the text as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
