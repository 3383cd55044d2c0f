import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openExternalFiles } from "../../src/boot/adapters.ts";

/** Serves a file at `/file`, and counts its requests. */
async function startServer() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    response.writeHead(request.url === "/file" ? 200 : 404, { "content-type": "image/png" }).end("12345");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
  };
}

function read(url: string, env: { NODE_ENV: "development" | "production"; FILE_MAX_BYTES: number }) {
  const files = openExternalFiles(env);
  onTestFinished(files.close);
  return files.read(url);
}

const development = { NODE_ENV: "development", FILE_MAX_BYTES: 5 } as const;

it("reads a whole file with its type", async () => {
  const { url } = await startServer();
  const file = await read(`${url}/file`, development);
  expect([file.type, await file.text()]).toEqual(["image/png", "12345"]);
});

it.each([
  ["another status", "/other", development, "status-404"],
  ["a file over the size limit", "/file", { ...development, FILE_MAX_BYTES: 4 }, "too-large"],
])("fails for %s, without the URL in the message", async (_, path, env, reason) => {
  const { url } = await startServer();
  const failed = await read(url + path, env).catch((error) => error);
  expect(failed).toMatchObject({ name: "ExternalFileError", reason });
  expect(failed.message).not.toContain(url);
});

it("reaches no loopback address in production", async () => {
  const { url, requests } = await startServer();
  const env = { ...development, NODE_ENV: "production" } as const;
  for (const named of [url, url.replace("http:", "https:")]) {
    await expect(read(`${named}/file`, env)).rejects.toMatchObject({ name: "ExternalFileError" });
  }
  expect(requests()).toBe(0);
});
