import { afterAll, beforeAll, expect, it } from "vitest";
import { type Served, serve } from "../../../src/server/serve.ts";
import { fakeApp } from "../../support/fakes.ts";
import { part, uploadForm, wholeForm } from "../../support/upload-form.ts";

/** Uploads over a socket. The tests of the parser have more hostile forms. */
let server: Served;
beforeAll(async () => {
  server = await serve(fakeApp({ uploadBytes: 10_485_760 }).app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));

it.each([
  ["of a wrong length", `${part("purpose", "selfie")}--b--`, "INVALID_INPUT"],
  ["whose file is text", `${part("purpose", "selfie")}${part("file", "x")}--b--\r\n`, "INVALID_INPUT"],
  ["that is truncated", part("purpose", "selfie").slice(0, 30), "MALFORMED_REQUEST"],
  ["with another boundary", "--c\r\n\r\n--c--\r\n", "MALFORMED_REQUEST"],
  ["of fields in fields", part("purpose[x]", "selfie"), "MALFORMED_REQUEST"],
  ["of 1,500 parts", `${part("a", "b").repeat(1_500)}--b--\r\n`, "MALFORMED_REQUEST"],
  ["of 1 MB of header lines", `--b\r\n${"x: y\r\n".repeat(170_000)}`, "MALFORMED_REQUEST"],
  [
    "of 1 MB of almost boundaries",
    `${part("file", "\r\n--".repeat(250_000), '; filename="x"')}`,
    "MALFORMED_REQUEST",
  ],
])("a form %s gets a response that says what to change", async (_name, body, code) => {
  const answer = await uploadForm(server.url, body);
  expect([answer.status, answer.reset]).toEqual([400, false]);
  expect(JSON.parse(answer.body)).toMatchObject({
    code,
    errors: expect.arrayContaining([expect.objectContaining({ message: expect.stringMatching(/\.$/) })]),
  });
});

it("a form of all its parts is accepted", async () => {
  expect((await uploadForm(server.url, wholeForm)).status).toBe(201);
});
