import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { unusedPort } from "../../../api/test/support/unused-port.ts";
import { Browser } from "../support/browser.ts";
import { testKey } from "../support/console.ts";
import { startFakeService } from "../support/fake-service.ts";
import { consoleProgram, killGroup, start } from "../support/start-program.ts";

/** The built console beside a fake service, with a person who is signed in, and metrics of its own. */
async function startProgram(env: Record<string, string>) {
  const service = await startFakeService();
  onTestFinished(() => service.close());
  const [port, metricsPort] = [await unusedPort(), await unusedPort()];
  const outputs: string[] = [];
  const child = await start(consoleProgram, /The console is ready/, outputs, {
    CONSOLE_PORT: String(port),
    CONSOLE_METRICS_PORT: String(metricsPort),
    CARDBRIDGE_URL: service.url,
    CARDBRIDGE_KEY: testKey,
    ...env,
  });
  onTestFinished(() => killGroup(child));
  const url = `http://127.0.0.1:${port}`;
  const browser = new Browser(url);
  await browser.signIn("sam");
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return { service, child, url, browser, metrics, output: () => outputs.join("") };
}

/** Holds the calls of a procedure. `answered` resolves to the response of the first one. */
function hold(service: Awaited<ReturnType<typeof startFakeService>>) {
  let held: ((response: ServerResponse) => void) | undefined;
  const call = new Promise<ServerResponse>((resolve) => {
    held = resolve;
  });
  service.state.answer = (request, response) => {
    if (request.url?.startsWith("/trpc/records.changes")) {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
      return true;
    }
    if (!request.url?.startsWith("/trpc/records.search")) return false;
    held?.(response);
    return true;
  };
  return call;
}

/** Waits until the console accepts no connection. */
async function closed(url: string): Promise<void> {
  const isServed = () =>
    fetch(`${url}/health/live`).then(
      () => true,
      () => false,
    );
  await expect.poll(isServed).toBe(false);
}

it("a console that stops reports it, still serves, ends its streams, lets calls end, and exits", async () => {
  const { service, child, url, browser, metrics, output } = await startProgram({
    SHUTDOWN_DELAY_MS: "3000",
    SHUTDOWN_GRACE_MS: "60000",
  });
  const call = hold(service);
  const stream = (await browser.api("/api/trpc/records.changes?input=%7B%7D")).body?.getReader();
  await stream?.read();
  const slow = browser.api("/api/trpc/records.search?input=%7B%7D");
  const pending = await call;
  expect(await metrics()).toContain("cardbridge_console_streams_open 1");

  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${url}/health/ready`)).status).toBe(503);
  const ready = await fetch(`${url}/health/ready`);
  expect(await ready.json()).toEqual({ status: "not ready", reasons: ["draining"] });
  expect((await browser.api("/api/session")).status).toBe(200);

  expect(await stream?.read()).toMatchObject({ done: true });
  await closed(url);
  pending.setHeader("content-type", "application/json").end('{"result":{"data":{"late":true}}}');
  const answered = await slow;
  expect([answered.status, await answered.json()]).toEqual([200, { result: { data: { late: true } } }]);
  expect(await exited).toEqual([0, null]);
  expect(output()).toContain('"msg":"console_stopped"');
});

it("a second signal does not wait for calls", async () => {
  const { service, child, browser, url } = await startProgram({ SHUTDOWN_GRACE_MS: "600000" });
  const call = hold(service);
  const slow = browser.api("/api/trpc/records.search?input=%7B%7D").catch(() => "reset");
  await call;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await closed(url);
  child.kill("SIGTERM");
  expect([await exited, await slow]).toEqual([[0, null], "reset"]);
});

it("a console whose metrics address is not available runs without metrics, and says so", async () => {
  const { browser, output, metrics } = await startProgram({ CONSOLE_METRICS_HOST: "203.0.113.1" });
  expect(output()).toContain('"msg":"metrics_not_served"');
  await expect(metrics()).rejects.toThrow();
  expect((await browser.api("/api/session")).status).toBe(200);
});
