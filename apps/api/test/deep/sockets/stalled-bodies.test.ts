import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { generateApiKey } from "../../../src/admission/api-key.ts";
import { type Served, serve } from "../../../src/server/serve.ts";
import { restSubmit } from "../../support/call.ts";
import { fakeApp, fullKey } from "../../support/fakes.ts";

/** Platform One announces bodies and does not send them. There are two slots for uploads, and four for bodies. */
const other = generateApiKey("test");
const { app } = fakeApp({
  keys: { [other]: ["kyc:write", "files:write"] },
  platforms: { [other]: "plt_2" },
  bodiesAtOnce: 4,
});
let server: Served;
beforeAll(async () => {
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Sends the head of a request of platform One. Returns a getter of the status line, empty without a response. */
function announce(path: string, contentType: string) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  open.push(() => socket.destroy());
  const head = [`POST ${path} HTTP/1.1`, "host: a", `authorization: Bearer ${fullKey}`];
  socket.write([...head, `content-type: ${contentType}`, "content-length: 50000", "", ""].join("\r\n"));
  return () => answer.split("\r\n")[0];
}

async function upload(key: string): Promise<number> {
  const body = new FormData();
  body.set("purpose", "selfie");
  body.set("file", new File(["x"], "x"));
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${server.url}/openapi/v1/files`, { method: "POST", headers, body })).status;
}

const caller = (key: string) => ({
  key,
  fetch: (path: string, init?: RequestInit) => fetch(server.url + path, init),
});

describe("a platform that sends slowly", () => {
  it("leaves upload slots for another platform, and its own uploads wait", async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      announce("/openapi/v1/files", "multipart/form-data; boundary=b");
    }
    for (let nth = 0; nth < 3; nth += 1) expect(await upload(other)).toBe(201);
    const own = upload(fullKey);
    for (const close of open.splice(0)) close();
    expect(await own).toBe(201);
  });

  it("leaves body slots for another platform, and is rejected over its fair limit", async () => {
    const answers = Array.from({ length: 5 }, () => announce("/openapi/v1/users/kyc", "application/json"));
    await expect.poll(() => answers.map((answer) => answer()).filter(Boolean)).toHaveLength(3);
    expect(answers.map((answer) => answer()).filter(Boolean)).toEqual(
      Array(3).fill("HTTP/1.1 429 Too Many Requests"),
    );
    expect((await restSubmit(caller(other), {})).status).toBe(400);
    expect(await restSubmit(caller(fullKey), {})).toMatchObject({
      status: 429,
      body: { code: "RATE_LIMITED" },
    });
    for (const close of open.splice(0)) close();
    await expect.poll(async () => (await restSubmit(caller(fullKey), {})).status).toBe(400);
  });
});
