import { Failure } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { generateApiKey } from "../../../src/admission/api-key.ts";
import { problem, toProblem } from "../../../src/http/errors/problem.ts";
import { readAnswer } from "../../support/call.ts";
import { fakeApp, fullKey } from "../../support/fakes.ts";
import { operatorScopes } from "../../support/operator-scopes.ts";

/** A small body with many violations gets a small response. */
const internalKey = generateApiKey("test", "internal");
const { app } = fakeApp({
  keys: { [internalKey]: operatorScopes },
  policies: { fileOrigins: ["https://kept.example.com"] },
});

async function answerTo(path: string, key: string, input: unknown) {
  const body = JSON.stringify(input);
  expect(body.length).toBeLessThan(64 * 1024);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await app.request(path, { method: "POST", headers, body });
  const text = await response.clone().text();
  return { ...(await readAnswer(response)), size: text.length };
}
const many = (item: unknown, count: number) => Array.from({ length: count }, () => item);

it.each([
  ["scopes", "/trpc/keys.create", internalKey, { scopes: many(1, 30_000) }],
  ["users", "/trpc/users.import", internalKey, { users: many({}, 20_000) }],
  ["documents over tRPC", "/trpc/kyc.submit", fullKey, { supportingDocuments: many({}, 20_000) }],
  ["documents over REST", "/openapi/v1/users/kyc", fullKey, { supportingDocuments: many({}, 20_000) }],
])(
  "60 KB of %s result in the violations of the first items and of the list",
  async (_name, path, key, input) => {
    const { status, body, size } = await answerTo(path, key, input);
    const [field] = Object.keys(input);
    const errors = problem.parse(body).errors.filter((error) => error.path.startsWith(`/${field}`));
    expect([status, errors.slice(0, 2).map((error) => [error.path, error.rule])]).toEqual([
      400,
      [
        [`/${field}`, "max-items"],
        [expect.stringMatching(`^/${field}/0`), expect.any(String)],
      ],
    ]);
    expect(size).toBeLessThan(20_000);
  },
);

it("60 KB of documents from other origins result in the violations of the first ten", async () => {
  const input = { supportingDocuments: many({ fileUrl: "https://x" }, 2_500) };
  const { status, body, size } = await answerTo("/openapi/v1/users/kyc", fullKey, input);
  const { errors, omittedErrors } = problem.strict().parse(body);
  const origins = errors.filter(({ rule }) => rule === "file-origin").map(({ path }) => path);
  expect([status, omittedErrors]).toEqual([400, undefined]);
  expect(origins).toEqual(Array.from({ length: 10 }, (_, nth) => `/supportingDocuments/${nth}/fileUrl`));
  expect(errors.map(({ rule }) => rule)).toContain("max-items");
  expect(size).toBeLessThan(20_000);
});

it.each([
  [99, 99, undefined],
  [100, 100, undefined],
  [101, 100, 1],
  [5_000, 100, 4_900],
])("of %d errors %d are listed, and the others are counted", (count, listed, omitted) => {
  const violations = Array.from({ length: count }, (_, index) => ({
    path: ["users", index],
    rule: "required",
    message: "This field is required.",
  }));
  const { errors, omittedErrors } = problem.strict().parse(
    toProblem(new Failure("INVALID_INPUT", { violations }), {
      requestId: "req_1",
      style: "pointer",
      ofKyc: false,
    }),
  );
  expect([errors.length, omittedErrors]).toEqual([listed, omitted]);
  expect(errors.at(-1)?.path).toBe(`/users/${listed - 1}`);
});
