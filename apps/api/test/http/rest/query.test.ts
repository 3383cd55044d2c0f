import { describe, expect, it } from "vitest";
import { card, fakeApp, fullKey, uploadPath } from "../../support/fakes.ts";

/** How REST reads paths and queries: strictly, and an unknown parameter is an error (G4). */
const { app } = fakeApp();
const auth = { authorization: `Bearer ${fullKey}` };
const prefix = "/openapi/v1";

async function errorsOf(path: string, init: RequestInit = { headers: auth }) {
  const response = await app.request(path, init);
  const { errors } = (await response.json()) as { errors: { path: string; rule: string; message: string }[] };
  return { status: response.status, errors };
}

it.each([
  ["page=1&page=2", "page single-value"],
  ["memberId=a&memberId=b", "memberId single-value"],
  ["memberId=a&memberId=b&page=0", "page minimum"],
  ["memberId=a&status=%00", "status raw-value"],
  ["memberId=a&page=01", "page type"],
  ["memberId=a&page=%2B1", "page type"],
  ["memberId=a&page=1e2", "page type"],
  ["memberId=a&page=1.0", "page type"],
  ["memberId=a&page=", "page type"],
  ["memberId=a&pageSize=99999999999999999999", "pageSize maximum"],
  ["memberId=%E0%A4%A", " percent-encoding"],
  ["memberId=%ff", " percent-encoding"],
  ["memberId=%00", "memberId member-id"],
  ["memberId=%ED%A0%80", " percent-encoding"],
])("a query is parsed strictly: %s", async (query, expected) => {
  const { status, errors } = await errorsOf(`${prefix}/cards/list?${query}`);
  expect([status, errors.map(({ path, rule }) => `${path} ${rule}`)]).toEqual([
    400,
    expect.arrayContaining([expected]),
  ]);
});

it("empty pairs of a query are ignored", async () => {
  const response = await app.request(`${prefix}/cards/list?&memberId=member-1&&`, { headers: auth });
  expect(await response.json()).toEqual({ items: [card], page: 1, pageSize: 20, total: 1, totalPages: 1 });
});

it("%2B is suggested for a raw plus sign in an e-mail", async () => {
  const { errors } = await errorsOf(`${prefix}/cards/list?email=a+b@example.com`);
  expect(errors).toMatchObject([{ path: "email", rule: "email", message: expect.stringContaining("%2B") }]);
});

describe("an unknown parameter is refused", () => {
  const known = /^A parameter is unknown\. Known parameters: email, memberId/;
  const none = "Omit the parameters. This operation has none in its query.";

  it.each([
    [
      "and the nearest one named",
      "/cards/list?memberId=member-1&statsu=active",
      /nearest known one is status\./,
    ],
    ["and the nearest one named", "/cards/list?member-id=member-1&page=1", /nearest known one is memberId\./],
    [
      "and the nearest one named",
      "/cards/list?memberId=member-1&page_size=1",
      /nearest known one is pageSize\./,
    ],
    ["and the nearest one named", "/cards/list?memberId=member-1&PAGE=1", /nearest known one is page\./],
    ["and the known ones listed", "/cards/list?memberId=member-1&limit=10", known],
    ["and the known ones listed", "/cards/list?memberId=member-1&=", known],
    ["and the known ones listed", "/users/kyc?memberId=erin&page=1", known],
    ["where there is none", "/users/kyc/kyc_1?kycRecordId=kyc_2", none],
  ])("%s: %s", async (_what, path, message) => {
    const { status, errors } = await errorsOf(prefix + path);
    const violation = { path: "", rule: "unknown-parameter", message: expect.stringMatching(message) };
    expect([status, errors]).toEqual([400, expect.arrayContaining([violation])]);
  });

  it("of an upload URL, and of a file's URL together with a malformed id", async () => {
    const unknown = { path: "", rule: "unknown-parameter", message: none };
    const message = "Send the value as this service returned it.";
    expect(await errorsOf("/files/file_x?foo=1")).toEqual({
      status: 400,
      errors: [unknown, { path: "fileId", rule: "file-id", message }],
    });
    expect(await errorsOf(`${uploadPath()}?foo=1`, { method: "PUT", body: "x" })).toMatchObject({
      status: 400,
      errors: expect.arrayContaining([unknown]),
    });
  });

  it("in at most one violation for each known parameter", async () => {
    const many = Array.from({ length: 900 }, (_, index) => `x${index}=1`).join("&");
    const { errors } = await errorsOf(`${prefix}/cards/list?memberId=member-1&${many}`);
    expect(errors.length).toBeLessThanOrEqual(5);
  });
});

it.each(["*", "...", "+", "'", "%27%20or", "a".repeat(4_000)])(
  "neither a file's id nor the token of an upload URL is %s",
  async (text) => {
    expect((await errorsOf(`/files/${text}`)).status).toBe(400);
    const upload = await app.request(`/files/uploads/${text}`, { method: "PUT", body: "x" });
    expect(upload.status).toBe(401);
  },
);

it.each([
  ["POST", "/cards/list", "GET, HEAD"],
  ["DELETE", "/users/kyc", "POST, GET, HEAD"],
  ["PUT", "/users/kyc/kyc_1", "GET, HEAD"],
])("%s %s gets 405 and Allow", async (method, path, allow) => {
  const response = await app.request(prefix + path, { method, headers: auth });
  expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
  expect(await response.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
});

it.each(["/openapi/v1", "/openapi/v1/cards/list/", "/openapi/v1/CARDS/list", "/openapi/v2/cards/list"])(
  "%s is no route",
  async (path) => {
    const response = await app.request(path, { headers: auth });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      404,
      "application/problem+json",
    ]);
    expect(await response.json()).toMatchObject({ code: "ROUTE_NOT_FOUND", success: false });
  },
);
