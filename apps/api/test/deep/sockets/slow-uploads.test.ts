import { expect, it } from "vitest";
import { serve } from "../../../src/server/serve.ts";
import { fakeApp, fullKey } from "../../support/fakes.ts";
import { converse } from "../../support/raw-http.ts";

it("an upload that is too slow gets 408, and gives its place back", async ({ onTestFinished }) => {
  const { app } = fakeApp({ uploadMillis: 1_000 });
  const server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close(0));
  const part = (name: string, value: string, file = "") =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  const send = (body: string, length: number) => {
    const head = [
      "POST /openapi/v1/files HTTP/1.1",
      "host: a",
      "connection: close",
      `authorization: Bearer ${fullKey}`,
      "content-type: multipart/form-data; boundary=b",
      `content-length: ${length}`,
    ];
    return converse(server.url, (socket) => void socket.write(`${head.join("\r\n")}\r\n\r\n${body}`));
  };
  const slow = Array.from({ length: 6 }, () => send(part("purpose", "selfie"), 90_000));
  for (const { status, body } of await Promise.all(slow)) {
    expect([status, JSON.parse(body).code]).toEqual([408, "REQUEST_TIMEOUT"]);
  }
  const whole = `${part("purpose", "selfie")}${part("file", "x", '; filename="../../x"')}--b--\r\n`;
  // The whole of it arrives with its head, long before the limit.
  expect(await send(whole, whole.length)).toMatchObject({ status: 201 });
});
