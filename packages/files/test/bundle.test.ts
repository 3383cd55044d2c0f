import { expect, it } from "vitest";
import { copySharp, pdfWorker } from "../build.mjs";
import { buildInto, outputOf } from "./support/built.ts";
import { freshFolder } from "./support/folder.ts";
import { handmade } from "./support/pdfs.ts";
import { picture } from "./support/pictures.ts";

it("works as a bundle in a folder that has nothing else of ours", async () => {
  const folder = await freshFolder();
  await buildInto(folder, { main: "test/support/inspect-two.ts", "pdf-worker": pdfWorker });
  await copySharp(folder);
  const files = [await picture().jpeg().toBuffer(), handmade()].map((bytes) => bytes.toString("base64"));
  const { stdout, stderr } = await outputOf(process.execPath, [`${folder}/main.js`, ...files]);
  expect(stdout, stderr).toBe('["image/jpeg","application/pdf"]');
});
