import { expect, it, onTestFinished } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { openSite } from "../../src/docs/site.ts";
import { serve } from "../../src/server/serve.ts";
import { fakeApp, fullKey } from "../support/fakes.ts";
import { callTool, connect } from "./connect.ts";
import { writeSearchIndex } from "./search-file.ts";

it("a search takes one of the slots of searches, and a platform has one", async () => {
  const other = generateApiKey("test");
  const { app, gates, searchSlots } = fakeApp({
    keys: { [other]: [] },
    platforms: { [other]: "plt_2" },
    site: openSite(await writeSearchIndex(), { publicUrl: "http://127.0.0.1:3000", demo: false }),
  });
  const server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { gates });
  onTestFinished(() => server.close(0));
  const [one, two] = [await connect(server.url, fullKey), await connect(server.url, other)];
  const search = (client: typeof one) => callTool(client, "search_docs", { query: "cards" });

  const slot = searchSlots.tryTake("plt_1");
  expect((await search(one)).text).toMatchObject({
    error: { code: "RATE_LIMITED" },
    retryAfterSeconds: expect.any(Number),
  });
  expect((await search(two)).isError).toBe(false);
  slot?.release();
  expect((await search(one)).isError).toBe(false);
});
