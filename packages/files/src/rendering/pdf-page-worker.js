import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { usedCpuMs } from "../processes/usage.ts";
import { maxSide } from "./rendered.ts";

/** @typedef {import("@hyzyla/pdfium").PDFiumDocument} PDFiumDocument */

// The thread of pdf-page.ts. PDFium is WebAssembly: it reads no file and no network. It is JavaScript so that its name is
// the same in the sources and in a bundle.
/** @type {import("./rendered.ts").PageTask} */
const { bytes, page, further } = workerData;
const wasm = await readFile(createRequire(import.meta.url).resolve("@hyzyla/pdfium/pdfium.wasm"));
const library = await PDFiumLibrary.init({ wasmBinary: new Uint8Array(wasm).buffer });
parentPort?.postMessage(further ? await severalPages(further) : await onePage());

async function onePage() {
  const document = await library.loadDocument(bytes);
  const pages = document.getPageCount();
  return page > pages ? { pages } : { pages, pixels: await pixelsOf(document, page) };
}

/** @param {{ lastPage: number; untilCpuMs: number }} further */
async function severalPages({ lastPage, untilCpuMs }) {
  try {
    const document = await library.loadDocument(bytes);
    const last = Math.min(document.getPageCount(), lastPage);
    let next = page;
    do {
      const { data } = await pixelsOf(document, next);
      // Frees the pixels at once: the garbage of ten pages would exceed the memory limit.
      /** @type {ArrayBuffer} */ (data.buffer).transfer(0);
      next += 1;
    } while (next <= last && usedCpuMs() < untilCpuMs);
    return { nextPage: next <= last ? next : null };
  } catch {
    // PDFium fails for the file alone: the library has started.
    return { rule: "file-broken" };
  }
}

/** @param {PDFiumDocument} document @param {number} number */
async function pixelsOf(document, number) {
  const page = document.getPage(number - 1);
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = maxSide / Math.max(originalWidth, originalHeight);
  if (!Number.isFinite(scale)) throw new Error("The page has no size.");
  const [width, height] = [side(originalWidth * scale), side(originalHeight * scale)];
  const { data } = await page.render({
    width,
    height,
    scale: 1,
    renderFormFields: true,
    render: async (bitmap) => bitmap.data,
  });
  return { data, width, height, channels: 4 };
}

/** @param {number} length */
function side(length) {
  return Math.max(1, Math.round(length));
}
