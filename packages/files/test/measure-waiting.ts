import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { copyFilePackages, filePrograms } from "../build.mjs";
import { createFileInspector, type RunInSlot } from "../src/index.ts";
import { bundleInto } from "./support/bundle.ts";
import { makeFolder } from "./support/folder.ts";
import { testImage } from "./support/images.ts";
import { worstImages } from "./support/worst-images.ts";

// Prints how long platform Two's photo takes, alone and with a hundred of platform One's worst images, if each platform
// may use one of two decoders: node test/measure-waiting.ts. docs/contribute/attacks.md contains its figures.

const folder = await makeFolder();
await bundleInto(folder, filePrograms);
await copyFilePackages(folder);
const program = pathToFileURL(join(folder, "decoder.js"));

const photo = await testImage(2_000, 1_500).jpeg().toBuffer();
const worst = await Promise.all(
  [
    "PNG, 60 text chunks of 40 MB",
    "JPEG, 20 MP, 10 MB of scans",
    "WebP, 12 MP, lossless, repeated noise",
  ].map((name) => worstImages[name]?.() ?? Buffer.alloc(0)),
);

/** Each platform decodes one file at a time. */
function oneForEach(): RunInSlot {
  const last = new Map<string, Promise<unknown>>();
  return (platformId, work) => {
    const result = (last.get(platformId) ?? Promise.resolve()).catch(() => {}).then(work);
    last.set(platformId, result);
    return result;
  };
}

const inspector = createFileInspector({ program, runInSlot: oneForEach() });
const inspect = (bytes: Buffer, platform: string) => inspector.inspect(bytes, "selfie", platform);
async function timed() {
  const start = performance.now();
  await inspect(photo, "plt_two");
  return Math.round(performance.now() - start);
}

await timed();
const alone = await timed();
let left = 100;
for (let index = 0; index < 100; index += 1) {
  inspect(worst[index % worst.length] ?? photo, "plt_one")
    .catch(() => {})
    .finally(() => {
      left -= 1;
    });
}
const beside: number[] = [];
for (let round = 0; round < 20; round += 1) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  beside.push(await timed());
}
process.stdout.write(`alone ${alone} ms; beside, with ${left} left: ${beside.join(", ")} ms\n`);
inspector.close();
