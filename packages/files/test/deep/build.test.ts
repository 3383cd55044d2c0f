import { expect, it } from "vitest";
import { copyFilePackages, filePrograms } from "../../build.mjs";
import { bundleInto, outputOf } from "../support/bundle.ts";
import { createTempFolder } from "../support/folder.ts";
import { testImage } from "../support/images.ts";
import { buildPdf } from "../support/pdfs.ts";

it("a bundle inspects and renders files without the sources", async () => {
  const folder = await createTempFolder();
  await bundleInto(folder, { main: "test/support/inspect-image-and-pdf.ts", ...filePrograms });
  await copyFilePackages(folder);
  const files = [await testImage().jpeg().toBuffer(), buildPdf()].map((bytes) => bytes.toString("base64"));
  const { stdout, stderr } = await outputOf(process.execPath, [`${folder}/main.js`, ...files]);
  expect(stdout, stderr).toBe('["image/jpeg","application/pdf",[64,48],[1583,2048]]');
});
