import { expect, it } from "vitest";
import { fakeApp, fullKey, uploadPath } from "../support/fakes.ts";

/* Unknown parameters of files' URLs (G4), and what a malformed id's error says. */
const { app } = fakeApp();
const headers = { authorization: `Bearer ${fullKey}` };

async function errorsOf(path: string, init: RequestInit = { headers }) {
  const response = await app.request(path, init);
  const { errors } = (await response.json()) as { errors: { path: string; rule: string; message: string }[] };
  return [response.status, errors];
}

const omit = "Omit the parameters. This operation has none in its query.";
const unknown = { path: "", rule: "unknown-parameter", message: omit };

it("a file's URL with a malformed id and a parameter reports both, and what an id is", async () => {
  const message = "Send the value as this service returned it.";
  expect(await errorsOf("/files/file_x?foo=1")).toEqual([
    400,
    [unknown, { path: "fileId", rule: "file-id", message }],
  ]);
});

it("an upload URL with a parameter reports it", async () => {
  expect(await errorsOf(`${uploadPath()}?foo=1`, { method: "PUT", body: "x" })).toEqual([
    400,
    expect.arrayContaining([unknown]),
  ]);
});
