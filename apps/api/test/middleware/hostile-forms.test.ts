import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Served, serve } from "../../src/server/serve.ts";
import { fakeApp, fullKey } from "../support/fakes.ts";
import { rawRequest } from "../support/raw-http.ts";

/**
 * Hostile forms over sockets. `FORMS_AT_ONCE=6 vitest run test/middleware/hostile-forms.test.ts` sends six at once,
 * and prints for how long each kind delays the event loop. The figures contain the work of the senders.
 */
const atOnce = Number(process.env.FORMS_AT_ONCE ?? 1);
const isMeasured = process.env.FORMS_AT_ONCE !== undefined;
const bytes = isMeasured ? 10_000_000 : 1_000_000;

const head = "--b\r\n";
const fill = (text: string) => text.repeat(bytes / text.length);
const unclosed = `Content-Disposition: form-data${';a="\\'.repeat(170)}`;
const forms: [name: string, body: string, status: number][] = [
  ["header lines", head + fill("x: y\r\n"), 400],
  ["one header", `${head}x: ${fill("y")}`, 400],
  ["lines without a colon", head + fill("x\r\n"), 400],
  ["parts", fill(`${head}Content-Disposition: form-data; name="x"\r\n\r\n\r\n`), 400],
  ["quotes that never end, in every header", fill(`${head}${unclosed}; name=x\r\n\r\n\r\n`), 400],
  [
    "almost boundaries",
    `${head}Content-Disposition: form-data; name="file"; filename="x"\r\n\r\n${fill("\r\n--")}`,
    400,
  ],
  ["text", `${head}Content-Disposition: form-data; name="purpose"\r\n\r\n${fill("x")}\r\n--b--\r\n`, 400],
  ["nothing but dashes", fill("-"), 400],
];

let server: Served;
beforeAll(async () => {
  server = await serve(fakeApp({ uploadBytes: 10_485_760 }).app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));

it.each(forms)("%s get a response that says what to change", async (name, body, status) => {
  const boundary = name === "nothing but dashes" ? "-".repeat(70) : "b";
  const message = Buffer.from(
    [
      "POST /openapi/v1/files HTTP/1.1",
      "host: a",
      "connection: close",
      `authorization: Bearer ${fullKey}`,
      `content-type: multipart/form-data; boundary=${boundary}`,
      `content-length: ${body.length}`,
      "",
      body,
    ].join("\r\n"),
  );
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const answers = await Promise.all(Array.from({ length: atOnce }, () => rawRequest(server.url, message)));
  delay.disable();
  for (const answer of answers) {
    expect([answer.status, answer.reset]).toEqual([status, false]);
    const { errors } = JSON.parse(answer.body);
    expect(errors).not.toEqual([]);
    for (const { message: help } of errors) expect(help).toMatch(/\.$/);
  }
  if (isMeasured) {
    process.stderr.write(
      `${name}: ${atOnce} forms of ${bytes} bytes, at most ${Math.round(delay.max / 1e6)} ms\n`,
    );
  }
});
