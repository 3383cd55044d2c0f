import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { serve } from "../../../src/server/serve.ts";

/** Longer than a drain takes, and shorter than the idle timeout of a connection. */
const stuckMs = 30_000;

it("closes after the last request, although the caller keeps the connection open", async () => {
  const release = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const answer = async () => {
    arrived.resolve();
    await release.promise;
    return new Response("done");
  };
  const served = await serve(answer, { host: "127.0.0.1", port: 0 });
  const agent = new Agent({ keepAlive: true });
  const request = get(served.url, { agent });
  await arrived.promise;
  const closed = served.close(2 * stuckMs);
  release.resolve();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect([await text(response), response.headers.connection]).toEqual(["done", "keep-alive"]);

  const outcome = await Promise.race([closed.then(() => "ended"), wait(stuckMs, "stuck", { ref: false })]);
  agent.destroy();
  expect(outcome).toBe("ended");
});
