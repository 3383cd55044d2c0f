import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PageToRender } from "@cardbridge/domain";
import { copyFilePackages, filePrograms } from "../build.mjs";
import { createEvidenceRenderer } from "../src/index.ts";
import { bundleInto } from "./support/bundle.ts";
import { makeFolder } from "./support/folder.ts";
import { testImage } from "./support/images.ts";

// Prints the time of a page of evidence from the call to the picture: node test/measure-rendering.ts [number of pages].

const folder = await makeFolder();
await bundleInto(folder, filePrograms);
await copyFilePackages(folder);
const renderer = createEvidenceRenderer({ program: pathToFileURL(join(folder, "renderer.js")) });
const watermark = { name: "Ada", personId: "per_1", time: "2026-01-31T12:40:00Z", auditId: "1" };
const [pages = "100"] = process.argv.slice(2);

/** A picture with as much detail as a photo of 12 megapixels: 3 to 4 MB. */
const photo = await testImage(4_000, 3_000).blur(2).jpeg({ quality: 95 }).toBuffer();
const pdf = await readFile(new URL("./samples/chromium.pdf", import.meta.url));

async function measure(name: string, file: Pick<PageToRender, "contentType" | "bytes">) {
  const times: number[] = [];
  let size = 0;
  for (let count = 0; count < Number(pages); count += 1) {
    const start = performance.now();
    const { bytes } = await renderer.render({ ...file, page: 1, watermark }, "key_1");
    times.push(performance.now() - start);
    size = bytes.length;
  }
  const first = Math.round(times[0] ?? 0);
  times.sort((a, b) => a - b);
  const at = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? 0);
  const text = `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, the first ${first} ms`;
  process.stdout.write(`${name} (${file.bytes.length} bytes): ${text}, ${size} bytes\n`);
}

await measure("JPEG of 12 megapixels", { contentType: "image/jpeg", bytes: photo });
await measure("PDF", { contentType: "application/pdf", bytes: pdf });
renderer.close();
