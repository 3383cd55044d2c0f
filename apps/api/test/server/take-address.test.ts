import { expect, it } from "vitest";
import { serve, takeAddress } from "../../src/server/serve.ts";

const host = "127.0.0.1";

it("keeps a port that the system chose, until the service listens on it", async () => {
  const address = await takeAddress({ host, port: 0 });
  await expect(takeAddress({ host, port: address.port })).rejects.toThrow("is in use by another process");
  const served = await serve(() => new Response("served"), address);
  expect(await (await fetch(served.url)).text()).toBe("served");
  await served.close(0);
});
