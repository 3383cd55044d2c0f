import { expect, it } from "vitest";
import { serve } from "../../../src/server/serve.ts";
import { fakeApp, uploadPath } from "../../support/fakes.ts";
import { rawRequest } from "../../support/raw-http.ts";
import { part, uploadForm, wholeForm } from "../../support/upload-form.ts";

it("an upload that is too slow gets 408, and releases its slot", async ({ onTestFinished }) => {
  const { app } = fakeApp({ uploadMs: 1_000 });
  const server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close(0));
  const slow = Array.from({ length: 6 }, () => uploadForm(server.url, part("purpose", "selfie"), 90_000));
  for (const { status, body } of await Promise.all(slow)) {
    expect([status, JSON.parse(body).code]).toEqual([408, "REQUEST_TIMEOUT"]);
  }
  // The whole form arrives with its head, long before the time limit.
  expect(await uploadForm(server.url, wholeForm)).toMatchObject({ status: 201 });
});

it("an upload to an upload URL that is too slow gets 408, which a page of another origin can read", async ({
  onTestFinished,
}) => {
  const { app, gates } = fakeApp({ uploadMs: 1_000 });
  const server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { gates });
  onTestFinished(() => server.close(0));
  const head = [`PUT ${uploadPath()} HTTP/1.1`, "host: a", "content-length: 90000", "", "slow"];
  const { status, headers } = await rawRequest(server.url, head.join("\r\n"));
  expect(status).toBe(408);
  expect(headers).toContain("access-control-allow-origin: *");
});
