import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestService } from "@cardbridge/api/testing";
import { expect, it, onTestFinished } from "vitest";

/* Tests the code of docs/apps/react.md: all of it compiles with the built client, and its server passes calls on. */
const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL("../..", import.meta.url));
const markdown = await readFile(join(packageFolder, "../../docs/apps/react.md"), "utf8");
const samples = [...markdown.matchAll(/^```tsx?\n([\s\S]*?)^```$/gm)].map(([, sample = ""]) => sample);

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-page-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it("compiles", async () => {
  const app = await openFolder();
  await symlink(join(packageFolder, "node_modules"), join(app, "node_modules"));
  const compilerOptions = {
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    jsx: "react-jsx",
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: [],
    paths: { "@cardbridge/trpc-client": [join(packageFolder, "dist/index.d.ts")] },
  };
  await writeFile(join(app, "page.tsx"), samples.join("\n"));
  await writeFile(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["page.tsx"] }));
  // The compiler writes its errors to stdout.
  const errors = await run(join(packageFolder, "node_modules/.bin/tsc"), ["-p", "."], { cwd: app }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
  expect(errors).toBe("");
});

it("has a server that passes calls on with the key and the person, if they have the page's header", async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const sample = samples.find((each) => each.includes("function forward"));
  const file = join(await openFolder(), "server.ts");
  await writeFile(
    file,
    (sample ?? "")
      .replace("http://127.0.0.1:3000", service.url)
      .replace("cb_int_test_…", service.caller().key),
  );
  const { forward } = (await import(file)) as {
    forward(request: Request, token: string): Promise<Response>;
  };
  const url = "https://page.example/api/trpc/cards.list?input=%7B%22memberId%22%3A%22alice%22%7D";
  const headers = { "x-back-office": "1", "x-cardbridge-person": "of the browser" };
  const answer = await forward(new Request(url, { headers }), "a.token.x");
  // The key of a platform forwards nobody: this refusal needs the key and the token.
  expect(answer.status).toBe(401);
  expect(await answer.text()).toContain('"key-without-persons"');
  expect((await forward(new Request(url), "a.token.x")).status).toBe(403);
});
