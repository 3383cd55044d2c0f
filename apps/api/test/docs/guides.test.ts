import { copyFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createManualClock } from "../support/manual-clock.ts";
import { createRunner } from "../support/snippet-runner.ts";
import { expectOutput, isOutput, snippetsOf } from "../support/snippets.ts";
import { startTestService } from "../support/test-service.ts";

const guides = new URL("../../../../docs/platforms/", import.meta.url);
const samples = fileURLToPath(new URL("../../samples/", import.meta.url));
const client = fileURLToPath(new URL("../../../../packages/client/", import.meta.url));
const names = (await readdir(guides)).filter((name) => name.endsWith(".md"));

let service: Awaited<ReturnType<typeof startTestService>>;
let home = "";
const clock = createManualClock();
const ending = new AbortController();
let reviewing: Promise<void>;
/** Ends the provider's review of each submission as soon as it has begun. */
async function endReviews(): Promise<void> {
  for (let ended = 0; !ending.signal.aborted; await wait(50)) {
    const { executions } = await service.ledger();
    for (; ended < executions.length; ended += 1) clock.advance(5_000);
  }
}
beforeAll(async () => {
  service = await startTestService({ sandboxClock: clock });
  reviewing = endReviews();
  home = await mkdtemp(join(tmpdir(), "cardbridge-guides-"));
  const installed = join(home, "node_modules/@cardbridge/client");
  const outfile = join(installed, "dist/index.js");
  await build({ entryPoints: [join(client, "src/index.ts")], outfile, bundle: true, format: "esm" });
  await copyFile(join(client, "package.json"), join(installed, "package.json"));
});
afterAll(async () => {
  ending.abort();
  await reviewing;
  await rm(home, { recursive: true, force: true });
  await service.stop();
});

describe.concurrent("each snippet runs, and its output is what the guide shows:", () => {
  it.each(names)("%s", async (name) => {
    const snippets = snippetsOf(await readFile(new URL(name, guides), "utf8"), service.url);
    const folder = await mkdtemp(join(home, "guide-"));
    await copyFile(`${samples}document-front.jpg`, join(folder, "front.jpg"));
    await copyFile(`${samples}selfie.jpg`, join(folder, "selfie.jpg"));
    await copyFile(`${samples}address-proof.pdf`, join(folder, "proof.pdf"));
    const runner = createRunner(folder);
    for (const [index, snippet] of snippets.entries()) {
      if (isOutput(snippet)) continue;
      const output = await runner.run(snippet);
      const shown = snippets[index + 1];
      if (shown && isOutput(shown)) expectOutput(output, shown);
      else expect(output).not.toContain('"success":false');
    }
    await runner.end();
  });
});
