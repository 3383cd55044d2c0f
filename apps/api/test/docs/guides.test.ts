import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeDownloads } from "../../../docs/src/output/downloads.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createRunner } from "../support/snippet-runner.ts";
import { expectOutput, snippetsOf } from "../support/snippets.ts";
import { startTestService } from "../support/test-service.ts";
import { unusedPort } from "../support/unused-port.ts";

const guides = new URL("../../../../docs/platforms/", import.meta.url);
const samples = fileURLToPath(new URL("../../samples/", import.meta.url));
const client = fileURLToPath(new URL("../../../../packages/client/", import.meta.url));
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Each page with its snippets. A page is run once for each of its tabs, or once if it has none. */
const names = (await readdir(guides)).filter((name) => name.endsWith(".md"));
const pages = await Promise.all(
  names.map(async (name) => ({ name, snippets: snippetsOf(await readFile(new URL(name, guides), "utf8")) })),
);
const languages = ["curl", "TypeScript", "Python"] as const;
const runs = pages.flatMap(({ name, snippets }) => {
  const tabs = languages.filter((language) => snippets.some(({ tab }) => tab === language));
  return (tabs.length > 0 ? tabs : languages.slice(0, 1)).map((language) => ({
    name,
    language,
    snippets: snippets.filter(({ tab }) => tab === undefined || tab === language),
  }));
});

let home = "";
/** Serves what the pages download below /docs. */
const downloads = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "", "http://127.0.0.1");
  readFile(join(home, "downloads", pathname.replace("/docs", ""))).then(
    (content) => response.end(content),
    () => response.writeHead(404).end(),
  );
});
/** One service for all: the examples of a page may not collide with those of its other tabs. */
let service: Awaited<ReturnType<typeof startReviewedService>>;
beforeAll(async () => {
  service = await startReviewedService();
  home = await mkdtemp(join(tmpdir(), "cardbridge-guides-"));
  const installed = join(home, "node_modules/@cardbridge/client");
  const outfile = join(installed, "dist/index.js");
  await build({ entryPoints: [join(client, "src/index.ts")], outfile, bundle: true, format: "esm" });
  for (const name of ["package.json", "README.md", "examples"])
    await cp(join(client, name), join(installed, name), { recursive: true });
  await writeDownloads(pathToFileURL(`${home}/downloads/`), [pathToFileURL(`${installed}/`)]);
  await once(downloads.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  downloads.close().closeAllConnections();
  await rm(home, { recursive: true, force: true });
  await service.stop();
});

/** A service whose provider ends the review of each submission as soon as it has begun. */
async function startReviewedService() {
  const clock = createManualClock();
  const ending = new AbortController();
  const service = await startTestService({ sandboxClock: clock, env: { RUN: "all" } });
  async function endReviews(): Promise<void> {
    for (let ended = 0; !ending.signal.aborted; await wait(50)) {
      const { executions } = await service.ledger();
      for (; ended < executions.length; ended += 1) clock.advance(5_000);
    }
  }
  const reviewing = endReviews();
  async function stop(): Promise<void> {
    ending.abort();
    await reviewing;
    await service.stop();
  }
  return { url: service.url, stop };
}

describe.concurrent("each snippet runs, and its output is what the page shows:", () => {
  it.for(runs)("$name, $language", async ({ snippets }, context) => {
    const needsPython = snippets.some((snippet) => snippet.language === "python");
    if (needsPython && !hasPython) return context.skip("not run: no python3 on this machine");
    const folder = await mkdtemp(join(home, "guide-"));
    await copyFile(`${samples}document-front.jpg`, join(folder, "front.jpg"));
    await copyFile(`${samples}selfie.jpg`, join(folder, "selfie.jpg"));
    const runner = createRunner(folder, context.signal);
    // The tabs of a page run concurrently.
    const receiver = String(await unusedPort());
    const atService = (code: string) =>
      code
        .replaceAll(/\b4567\b/g, receiver)
        .replaceAll(
          /http:\/\/127\.0\.0\.1:3000(?=\/docs\/(?:client|samples)\/)/g,
          `http://127.0.0.1:${(downloads.address() as AddressInfo).port}`,
        )
        .replaceAll("http://127.0.0.1:3000", service.url);
    try {
      for (const snippet of snippets) {
        const printed = await runner.run({ ...snippet, code: atService(snippet.code) });
        const { output } = snippet;
        if (output) expectOutput(printed, { ...output, code: atService(output.code) });
        else expect(printed).not.toContain('"success":false');
      }
    } finally {
      await runner.end();
    }
  });
});
