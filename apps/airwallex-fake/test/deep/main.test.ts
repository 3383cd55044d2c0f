import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { cardholder } from "../support/fake.ts";

// The tests run after the build.
const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

async function start(...args: string[]) {
  const child = fork(main, args);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [announcement] = await once(child, "message");
  return { child, url: announcement.listening as string, filesUrl: announcement.files as string };
}

async function login(url: string) {
  const headers = { "x-client-id": "fake-client", "x-api-key": "fake-key" };
  const response = await fetch(`${url}/api/v1/authentication/login`, { method: "POST", headers });
  const { token } = (await response.json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

test("the process keeps its state in a file, and exits when its parent disconnects", async () => {
  const folder = await mkdtemp(join(tmpdir(), "airwallex-fake-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const state = join(folder, "state.json");

  const first = await start("--state", state);
  const headers = await login(first.url);
  const body = JSON.stringify(cardholder());
  await fetch(`${first.url}/api/v1/issuing/cardholders/create`, { method: "POST", headers, body });
  first.child.kill("SIGKILL");
  await once(first.child, "exit");

  const second = await start("--state", state);
  const path = `${second.url}/api/v1/issuing/cardholders`;
  expect((await fetch(path, { headers })).status).toBe(401);
  const list = await fetch(path, { headers: await login(second.url) });
  expect(await list.json()).toMatchObject({ items: [{ email: "jane@example.com", status: "READY" }] });
  expect((await fetch(`${second.filesUrl}/api/v1/files/upload`, { method: "POST" })).status).toBe(403);

  second.child.disconnect();
  expect(await once(second.child, "exit")).toEqual([0, null]);
});
