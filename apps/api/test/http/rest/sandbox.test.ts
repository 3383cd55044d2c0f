import { expect, it } from "vitest";
import { generateApiKey } from "../../../src/admission/api-key.ts";
import { fakeApp, fakePorts, fullKey } from "../../support/fakes.ts";

const { ports } = fakePorts({ act: async () => ({ cardId: null }) });
const body = JSON.stringify({ memberId: "member-1", act: "approve" });

/** Asks the app for an act, over both transports, and for its document. */
async function ask({ app }: ReturnType<typeof fakeApp>, key: string) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const act = async (path: string) => (await app.request(path, { method: "POST", headers, body })).status;
  const document = await (await app.request("/openapi/v1/openapi.json")).text();
  return {
    rest: await act("/openapi/v1/sandbox/acts"),
    trpc: await act("/trpc/sandbox.act"),
    published: /sandbox\/acts|"Sandbox"/.test(document),
  };
}

it("a test service acts over both transports, and its document has the route", async () => {
  expect(await ask(fakeApp({ ports }), fullKey)).toEqual({ rest: 200, trpc: 200, published: true });
});

it("a live service has no such route, and its document does not name it", async () => {
  const key = generateApiKey("live");
  const live = fakeApp({
    ports: { ...ports, environment: "live" },
    environment: "live",
    keys: { [key]: ["sandbox:act"] },
  });
  expect(await ask(live, key)).toEqual({ rest: 404, trpc: 404, published: false });
});
