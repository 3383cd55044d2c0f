import { expect, it } from "vitest";
import { serve } from "../../../src/server/serve.ts";
import { fakeApp } from "../../support/fakes.ts";
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
