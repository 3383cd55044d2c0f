import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { maxSide } from "./rendered.ts";

// The thread of pdf-page.ts. PDFium is WebAssembly: it reads no file and no network. It is JavaScript so that its name is
// the same in the sources and in a bundle.
/** @type {{ bytes: Uint8Array; page: number }} */
const { bytes, page: number } = workerData;
const wasm = await readFile(createRequire(import.meta.url).resolve("@hyzyla/pdfium/pdfium.wasm"));
const library = await PDFiumLibrary.init({ wasmBinary: new Uint8Array(wasm).buffer });
const document = await library.loadDocument(bytes);
const pages = document.getPageCount();
parentPort?.postMessage(
  number > pages ? { pages } : { pages, pixels: await pixelsOf(document.getPage(number - 1)) },
);

/** @param {import("@hyzyla/pdfium").PDFiumPage} page */
async function pixelsOf(page) {
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
