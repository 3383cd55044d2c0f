import type { Scope } from "@cardbridge/domain";
import { Failure, messages, reasonMessages } from "@cardbridge/domain";
import { exampleSubmission } from "@cardbridge/operations";
import { describe, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { demoKeys } from "../../src/admission/demo-keys.ts";
import { bindings } from "../support/bindings.ts";
import {
  type Answer,
  readAnswer,
  restList,
  restSubmit,
  trpcList,
  trpcSubmit,
  withoutRequestId,
} from "../support/call.ts";
import { card, fakeApp, fakePorts, fullKey } from "../support/fakes.ts";
import { wrongInputs } from "./canary/wrong-inputs.ts";
import { listCases, submitCases } from "./parity.cases.ts";

const valid = exampleSubmission.input;

function caller(options: Parameters<typeof fakeApp>[0] = {}, key = fullKey) {
  const { app, lines } = fakeApp(options);
  return { fetch: (path: string, init?: RequestInit) => app.request(path, init), key, lines };
}

/** Serves the calls that change nothing. */
const world = caller();

const rules = ({ body }: Answer) =>
  ((body as { errors?: { path: string; rule: string }[] }).errors ?? [])
    .map(({ path, rule }) => `${path} ${rule}`)
    .sort();

describe("REST and tRPC respond equally", () => {
  it.each(listCases)("a list with %s", async (_name, query, status, expected) => {
    const rest = await restList(world, query);
    const trpc = await trpcList(world, query);
    expect([rest.status, trpc.status]).toEqual([status, status]);
    expect(rules(rest)).toEqual(expected);
    expect(withoutRequestId(trpc.body)).toEqual(withoutRequestId(rest.body));
  });

  it.each(submitCases)("a submission with %s", async (_name, body, status, expected) => {
    const rest = await restSubmit(caller(), body);
    const trpc = await trpcSubmit(caller(), body);
    expect([rest.status, trpc.status]).toEqual([status, status]);
    if (expected.length > 0) expect(rules(rest)).toEqual(expected);
    expect(withoutRequestId(trpc.body)).toEqual(withoutRequestId(rest.body));
  });

  it.each([
    ["PROVIDER_TIMEOUT", 504],
    ["PROVIDER_UNAVAILABLE", 503],
    ["PROVIDER_ANSWER_INVALID", 502],
    ["SERVICE_UNAVAILABLE", 503],
  ] as const)("a list that fails with %s", async (code, status) => {
    const { ports } = fakePorts({
      listCards: async () => {
        throw new Failure(code, status === 503 ? { retryAfterSeconds: 7 } : {});
      },
    });
    const rest = await restList(caller({ ports }), { memberId: "member-1" });
    const trpc = await trpcList(caller({ ports }), { memberId: "member-1" });
    expect([rest.status, trpc.status]).toEqual([status, status]);
    expect(rest.body).toMatchObject({ code, success: false });
    expect(withoutRequestId(trpc.body)).toEqual(withoutRequestId(rest.body));
    const retryAfter = status === 503 ? "7" : null;
    expect([rest.headers.get("retry-after"), trpc.headers.get("retry-after")]).toEqual([
      retryAfter,
      retryAfter,
    ]);
  });
});

const overBoth = bindings.flatMap((rest) => {
  const trpc = bindings.find(
    ({ operation, transport }) => operation === rest.operation && transport === "tRPC",
  );
  return rest.transport === "REST" && trpc ? [{ id: rest.operation.id, rest, trpc }] : [];
});

describe.each(overBoth)("REST and tRPC respond equally to $id", ({ rest, trpc }) => {
  const { input: schema, example } = rest.operation;
  const right = example.input as Record<string, unknown>;
  const wrong = wrongInputs({
    schema,
    input: right,
    mark: () => "x".repeat(20),
    isText: rest.isText,
  });
  // Each transport parses the fields of a URL in its own way. One parser reads the bodies of both.
  const isInUrl = ([name]: (typeof wrong)[number]) => rest.isText(name.split(/[.:]/)[0] ?? "");
  const inBody = wrong.filter((one) => !isInUrl(one));

  async function expectAlike(input: object, worldOfCall: () => ReturnType<typeof caller>) {
    const answers = [];
    for (const binding of [rest, trpc]) {
      const { path, ...init } = binding.request(input as Record<string, unknown>);
      const headers = { ...init.headers, authorization: `Bearer ${fullKey}` };
      const response = await worldOfCall().fetch(path, { ...init, headers } as RequestInit);
      const { status, body } = await readAnswer(response);
      answers.push({ status, body: withoutRequestId(body) });
    }
    const [overRest, overTrpc] = answers;
    expect(overTrpc).toEqual(overRest);
    return overRest;
  }

  it("with its example", () => expectAlike(right, () => caller()));

  it("with each wrong field of its URL, and with one of its body", async () => {
    for (const [name, input] of [...wrong.filter(isInUrl), ...inBody.slice(0, 1)]) {
      const answer = await expectAlike(input, () => world);
      expect([name, answer?.status]).toEqual([name, 400]);
    }
  });
});

describe("a submission", () => {
  it("returns the provider's answer, and repeats it with the replay header", async () => {
    const world = caller({ ports: fakePorts().ports });
    const first = await restSubmit(world, valid);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      success: true,
      code: "KYC_SUBMITTED",
      message: expect.any(String),
      externalUserId: "usr_1",
      kycRecordId: "kyc_1",
      status: "APPROVED",
      subStatus: "approved",
      cardAccountId: "acct_1",
    });
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    for (const again of [await restSubmit(world, valid), await trpcSubmit(world, valid)]) {
      expect(again.body).toEqual(first.body);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    }
  });

  it.each(["unsent", "unknown"] as const)(
    "whose outcome is %s is accepted: 202 and PENDING (G14)",
    async (outcome) => {
      const { ports, answerWith, observed } = fakePorts();
      answerWith({ outcome, reason: "timeout" });
      const world = caller({ ports });
      for (const answer of [await restSubmit(world, valid), await restSubmit(world, valid)]) {
        expect(answer.status).toBe(202);
        expect(answer.headers.get("location")).toBe("/openapi/v1/users/kyc/kyc_1");
        expect(answer.headers.get("retry-after")).toBe("2");
        expect(answer.body).toMatchObject({
          success: true,
          code: "KYC_ACCEPTED",
          status: "PENDING",
          subStatus: null,
          cardAccountId: null,
        });
      }
      expect(observed).toEqual(["kyc_attempt", "kyc_outcome_unknown"]);
    },
  );

  it("is accepted if the provider's answer cannot be stored", async () => {
    const { ports } = fakePorts();
    ports.kycRecords.storeVerdict = async () => {
      throw new Failure("SERVICE_UNAVAILABLE");
    };
    expect(await restSubmit(caller({ ports }), valid)).toMatchObject({
      status: 202,
      body: { code: "KYC_ACCEPTED" },
    });
  });

  it("gets 422 with its record and the reasons if the provider refuses it, also when repeated (G15)", async () => {
    const { ports, answerWith } = fakePorts();
    const reasons = [
      { code: "SUPPORTING_DOCUMENT_OUTDATED", field: "/supportingDocuments/0/fileUrl" } as const,
      { code: "OTHER", field: null } as const,
    ];
    answerWith({
      outcome: "refused",
      explanation: { reasons, final: true },
      restricted: ["FRAUD_SUSPECTED"],
    });
    const world = caller({ ports });
    const first = await restSubmit(world, valid);
    const again = await restSubmit(world, valid);
    const overTrpc = await trpcSubmit(world, valid);
    for (const answer of [first, again, overTrpc]) {
      expect(answer.status).toBe(422);
      expect(withoutRequestId(answer.body)).toEqual({
        type: "/docs/platforms/errors#kyc_refused",
        title: "KYC refused",
        status: null,
        success: false,
        code: "KYC_REFUSED",
        message: messages.KYC_REFUSED,
        errors: reasons.map(({ code, field }) => ({
          path: field ?? "",
          rule: code,
          message: reasonMessages[code],
        })),
        kycRecordId: "kyc_1",
        externalUserId: "usr_1",
        subStatus: null,
        cardAccountId: null,
        final: true,
      });
    }
    expect([first, again, overTrpc].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([
      null,
      "true",
      "true",
    ]);
  });

  it("gets 409 with the open record for a different body (G16)", async () => {
    const world = caller({ ports: fakePorts().ports });
    await restSubmit(world, valid);
    const other = await restSubmit(world, { ...valid, occupation: "Painter" });
    expect(other).toMatchObject({
      status: 409,
      body: { code: "KYC_ALREADY_SUBMITTED", kycRecordId: "kyc_1" },
    });
  });

  it("is sent to the provider without memberId", async () => {
    const { ports, sent } = fakePorts();
    await restSubmit(caller({ ports }), { ...valid, memberId: "MEMBER-CANARY" });
    expect(sent).toHaveLength(1);
    expect(JSON.stringify(sent)).not.toContain("MEMBER-CANARY");
  });
});

describe("reading a KYC result", () => {
  const get = async (path: string, world: ReturnType<typeof caller>) => {
    const response = await world.fetch(path, { headers: { authorization: `Bearer ${world.key}` } });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };

  it("returns the latest record and its history, equally over both transports", async () => {
    const world = caller({ ports: fakePorts().ports });
    const { body } = await restSubmit(world, valid);
    const latest = await get("/openapi/v1/users/kyc?memberId=erin", world);
    expect(latest).toMatchObject({ status: 200, body });
    const overTrpc = await get(`/trpc/kyc.get?input=${encodeURIComponent('{"memberId":"erin"}')}`, world);
    expect(overTrpc.body).toEqual({ result: { data: body } });

    const history = await get("/openapi/v1/users/kyc/kyc_1", world);
    expect(history.body).toEqual({
      ...(body as object),
      memberId: "erin",
      history: [expect.objectContaining({ source: "submission" })],
    });
    const historyOverTrpc = await get(
      `/trpc/kyc.history?input=${encodeURIComponent('{"kycRecordId":"kyc_1"}')}`,
      world,
    );
    expect(historyOverTrpc.body).toEqual({ result: { data: history.body } });
  });

  it("returns a refused one with success false, and not as an error (G15)", async () => {
    const { ports, answerWith } = fakePorts();
    answerWith({ outcome: "refused" });
    const world = caller({ ports });
    await restSubmit(world, valid);
    expect(await get("/openapi/v1/users/kyc?memberId=erin", world)).toMatchObject({
      status: 200,
      body: {
        success: false,
        code: "KYC_REFUSED",
        status: null,
        kycRecordId: "kyc_1",
        reasons: [],
        final: false,
      },
    });
  });

  it.each([
    ["/openapi/v1/users/kyc", 400, "INVALID_INPUT"],
    ["/openapi/v1/users/kyc?memberId=nobody", 404, "USER_NOT_FOUND"],
    ["/openapi/v1/users/kyc?memberId=member-1", 404, "KYC_RECORD_NOT_FOUND"],
    ["/openapi/v1/users/kyc/kyc_none", 404, "KYC_RECORD_NOT_FOUND"],
    ["/openapi/v1/users/kyc/a%20b", 400, "INVALID_INPUT"],
    [`/openapi/v1/users/kyc/${"k".repeat(65)}`, 400, "INVALID_INPUT"],
  ])("responds to %s with %i %s", async (path, status, code) => {
    expect(await get(path, world)).toMatchObject({ status, body: { code } });
  });
});

describe("an Idempotency-Key (G20)", () => {
  const submit = async (key: string, path = "/openapi/v1/users/kyc") => {
    const { ports } = fakePorts();
    const seen: unknown[] = [];
    const { createOrReplay } = ports.kycRecords;
    ports.kycRecords.createOrReplay = (platform, request) => {
      seen.push([request.by.operation, request.idempotencyKey]);
      return createOrReplay(platform, request);
    };
    const headers = {
      authorization: `Bearer ${fullKey}`,
      "content-type": "application/json",
      "idempotency-key": key,
    };
    const init = { method: "POST", headers, body: JSON.stringify(valid) };
    return { response: await caller({ ports }).fetch(path, init), seen };
  };

  it.each([
    ["abc-123", "abc-123"],
    ['"abc-123"', "abc-123"],
    ['"a\\"b"', 'a"b'],
    ["k".repeat(255), "k".repeat(255)],
  ])("is accepted with and without quotes, over both transports: %s", async (header, key) => {
    for (const path of ["/openapi/v1/users/kyc", "/trpc/kyc.submit"]) {
      const { response, seen } = await submit(header, path);
      expect(response.status).toBe(200);
      expect(seen).toEqual([["kyc.submit", key]]);
    }
  });

  it.each(["", '""', "a b", "k".repeat(256), "k\u00e9"])(
    "is refused if it is invalid: %s",
    async (header) => {
      const { response, seen } = await submit(header);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ errors: [{ rule: "idempotency-key" }] });
      expect(seen).toEqual([]);
    },
  );
});

describe("authentication (G19)", () => {
  const unauthenticated = { status: 401, body: { code: "UNAUTHENTICATED" } };

  it.each([
    ["no key", ""],
    ["an unknown key", generateApiKey("test")],
    ["a mistyped key", `${fullKey.slice(0, -1)}${fullKey.endsWith("0") ? "1" : "0"}`],
    ["a demo key without the embedded database", demoKeys.first],
    ["nonsense", "\u00e9".repeat(3)],
  ])("refuses %s over both transports", async (_name, key) => {
    for (const answer of [
      await restList({ ...world, key }, { memberId: "member-1" }),
      await restSubmit({ ...world, key }, valid),
      await trpcList({ ...world, key }, { memberId: "member-1" }),
      await trpcSubmit({ ...world, key }, valid),
    ]) {
      expect(answer).toMatchObject(unauthenticated);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="cardbridge"');
    }
  });

  it("accepts a demo key with the embedded database", async () => {
    const world = caller({ allowDemoKeys: true }, demoKeys.first);
    expect(await restList(world, { memberId: "member-1" })).toMatchObject({ status: 200 });
  });

  it("checks the scope of each operation", async () => {
    const reader = generateApiKey("test");
    const writer = generateApiKey("test");
    const keys: Record<string, Scope[]> = { [reader]: ["cards:read"], [writer]: ["kyc:write"] };
    const missing = (scope: string) => ({
      status: 403,
      body: { code: "SCOPE_MISSING", errors: [{ rule: "scope", message: expect.stringContaining(scope) }] },
    });
    for (const list of [restList, trpcList]) {
      expect(await list(caller({ keys }, reader), { memberId: "member-1" })).toMatchObject({ status: 200 });
      expect(await list(caller({ keys }, writer), { memberId: "member-1" })).toMatchObject(
        missing("cards:read"),
      );
    }
    for (const submit of [restSubmit, trpcSubmit]) {
      expect(await submit(caller({ keys }, writer), valid)).toMatchObject({ status: 200 });
      expect(await submit(caller({ keys }, reader), {})).toMatchObject(missing("kyc:write"));
    }
  });
});

describe("HTTP", () => {
  const auth = { authorization: `Bearer ${fullKey}` };

  it("sends x-request-id with every response", async () => {
    const { fetch } = world;
    for (const path of [
      "/",
      "/nowhere",
      "/health/live",
      "/openapi/v1/cards/list",
      "/trpc/cards.list",
      "/docs",
    ]) {
      const response = await fetch(path);
      expect(response.headers.get("x-request-id"), path).toMatch(/^req_/);
    }
    const refused = await fetch("/openapi/v1/cards/list", { headers: { ...auth, "x-request-id": "mine" } });
    expect(((await refused.json()) as { requestId: string }).requestId).toBe(
      refused.headers.get("x-request-id"),
    );
  });

  it.each([
    ["POST", "/openapi/v1/cards/list", "GET, HEAD"],
    ["DELETE", "/openapi/v1/cards/list", "GET, HEAD"],
    ["DELETE", "/openapi/v1/users/kyc", "POST, GET, HEAD"],
    ["PUT", "/openapi/v1/users/kyc/kyc_1", "GET, HEAD"],
  ])("responds to %s %s with 405 and Allow", async (method, path, allow) => {
    const response = await world.fetch(path, { method, headers: auth });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  });

  it.each([
    ["GET", "/trpc/kyc.submit", "POST"],
    ["POST", "/trpc/cards.list", "GET"],
  ])("responds to %s %s with 405 and Allow in tRPC's shape", async (method, path, allow) => {
    const post = { body: "{}", headers: { ...auth, "content-type": "application/json" } };
    const response = await world.fetch(path, {
      method,
      ...(method === "POST" ? post : { headers: auth }),
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({
      error: { data: { problem: { code: "METHOD_NOT_ALLOWED" } } },
    });
  });

  it.each([
    "/openapi/v1",
    "/openapi/v1/cards/list/",
    "/openapi/v1/CARDS/list",
    "/openapi/v2/cards/list",
    "//openapi/v1/cards/list",
  ])("has no route %s", async (path) => {
    const response = await world.fetch(`http://127.0.0.1${path}`, { headers: auth });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code: "ROUTE_NOT_FOUND", success: false });
  });

  it("has no other procedure", async () => {
    const unknown = await world.fetch("/trpc/cards.nothing", { headers: auth });
    expect(unknown.status).toBe(404);
    const { error } = (await unknown.json()) as { error: { data: { problem: unknown } } };
    expect(error.data.problem).toEqual({
      type: "/docs/platforms/errors#route_not_found",
      title: "Route not found",
      success: false,
      code: "ROUTE_NOT_FOUND",
      message: expect.any(String),
      errors: [],
      requestId: unknown.headers.get("x-request-id"),
    });
    expect(unknown.headers.get("content-type")).toBe("application/json");
  });

  it.each([
    ["page=1&page=2", "page single-value"],
    ["page=1&page=2", "email exactly-one-identifier"],
    ["memberId=a&memberId=b&page=0", "page minimum"],
    ["memberId=a&status=%00", "status raw-value"],
    ["memberId=a&memberId=b", "memberId single-value"],
    ["memberId=a&page=01", "page type"],
    ["memberId=a&page=%2B1", "page type"],
    ["memberId=a&page=1e2", "page type"],
    ["memberId=a&page=1.0", "page type"],
    ["memberId=a&page=", "page type"],
    ["memberId=a&pageSize=99999999999999999999", "pageSize maximum"],
    ["memberId=%E0%A4%A", " percent-encoding"],
    ["memberId=%ff", " percent-encoding"],
    ["memberId=%", " percent-encoding"],
    ["memberId=%00", "memberId member-id"],
    ["memberId=%ED%A0%80", " percent-encoding"],
  ])("parses a query strictly: %s", async (query, expected) => {
    const response = await world.fetch(`/openapi/v1/cards/list?${query}`, { headers: auth });
    const body = await response.json();
    expect(response.status).toBe(400);
    expect(rules({ status: 400, body, headers: response.headers })).toContain(expected);
  });

  it.each([
    ["GET", "/cards/list?memberId=member-1&statsu=active", "status"],
    ["GET", "/cards/list?member-id=member-1&page=1", "memberId"],
    ["GET", "/cards/list?memberId=member-1&page_size=1", "pageSize"],
    ["GET", "/cards/list?memberId=member-1&PAGE=1", "page"],
  ])("refuses an unknown parameter and names the nearest one: %s %s", async (method, path, nearest) => {
    const response = await world.fetch(`/openapi/v1${path}`, { method, headers: auth });
    const body = await response.json();
    expect(response.status).toBe(400);
    const message = expect.stringContaining(`nearest known one is ${nearest}.`);
    expect(body).toMatchObject({
      errors: expect.arrayContaining([{ path: "", rule: "unknown-parameter", message }]),
    });
  });

  it.each([
    "/cards/list?memberId=member-1&limit=10",
    "/cards/list?memberId=member-1&offset=10",
    "/cards/list?memberId=member-1&=",
    "/users/kyc?memberId=erin&page=1",
  ])("lists the known parameters if none is similar to an unknown one: %s", async (path) => {
    const response = await world.fetch(`/openapi/v1${path}`, { headers: auth });
    const message = expect.stringMatching(/^A parameter is unknown\. Known parameters: email, memberId/);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: [{ path: "", rule: "unknown-parameter", message }] },
    ]);
  });

  it.each([
    ["GET", "/users/kyc/kyc_1?kycRecordId=kyc_2"],
    ["POST", "/users/kyc?dryRun=true"],
  ])("refuses any parameter of an operation without parameters: %s %s", async (method, path) => {
    const headers = { ...auth, "content-type": "application/json" };
    const body = method === "POST" ? { body: JSON.stringify(valid) } : {};
    const response = await world.fetch(`/openapi/v1${path}`, { method, headers, ...body });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: [{ rule: "unknown-parameter", message: expect.not.stringContaining("nearest") }] },
    ]);
  });

  it("reports many unknown parameters in at most one violation for each known parameter", async () => {
    const many = Array.from({ length: 900 }, (_, index) => `x${index}=1`).join("&");
    const response = await world.fetch(`/openapi/v1/cards/list?memberId=member-1&${many}`, {
      headers: auth,
    });
    const { errors } = (await response.json()) as { errors: unknown[] };
    expect(errors.length).toBeLessThanOrEqual(5);
  });

  it("ignores empty pairs", async () => {
    const path = "/openapi/v1/cards/list?&memberId=member-1&&";
    const response = await world.fetch(path, { headers: auth });
    expect(await response.json()).toEqual({ items: [card], page: 1, pageSize: 20, total: 1, totalPages: 1 });
  });

  it("suggests %2B for a raw plus sign in an e-mail", async () => {
    const path = "/openapi/v1/cards/list?email=a+b@example.com";
    const response = await world.fetch(path, { headers: auth });
    expect(await response.json()).toMatchObject({
      errors: [{ path: "email", rule: "email", message: expect.stringContaining("%2B") }],
    });
  });

  it.each(["input=%7B%7D&input=%7B%7D", "input=%E0%A4%A", "input=%7B"])(
    "reads tRPC's input strictly: %s",
    async (query) => {
      const response = await world.fetch(`/trpc/cards.list?${query}`, { headers: auth });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: { data: { problem: { success: false } } } },
      ]);
    },
  );

  it.each([
    [undefined],
    ["text/plain"],
    ["application/x-www-form-urlencoded"],
    ["multipart/form-data; boundary=x"],
    ["application/json; charset=utf-16"],
    ["application/jsonx"],
  ])("accepts only JSON, not %s", async (contentType) => {
    for (const path of ["/openapi/v1/users/kyc", "/trpc/kyc.submit"]) {
      const headers = { ...auth, ...(contentType === undefined ? {} : { "content-type": contentType }) };
      const body = new Blob([JSON.stringify(valid)]);
      const answer = await readAnswer(await world.fetch(path, { method: "POST", headers, body }));
      expect(answer.status).toBe(415);
      expect(JSON.stringify(answer.body)).toContain("Send Content-Type: application/json.");
    }
  });

  it("accepts only JSON in UTF-8", async () => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const headers = { ...auth, "content-type": "application/json; charset=UTF-8" };
    const response = await world.fetch("/openapi/v1/users/kyc", { method: "POST", headers, body });
    expect([response.status, await response.json()]).toMatchObject([400, { code: "MALFORMED_REQUEST" }]);
  });

  it("names the limit of a body that is too large, and the position of a syntax error", async () => {
    const large = await restSubmit(world, `"${"x".repeat(70_000)}"`);
    expect(large).toMatchObject({
      status: 413,
      body: { errors: [{ message: "Send at most 65536 bytes." }] },
    });
    const broken = await restSubmit(world, '{\n  "name": "CANARY" CANARY\n}');
    const message = "The body is not valid JSON at line 2, column 20.";
    expect(broken).toMatchObject({ status: 400, body: { errors: [{ path: "", rule: "json", message }] } });
    expect(JSON.stringify(broken.body)).not.toContain("CANARY");
  });

  it("refuses a request target beyond its limit", async () => {
    const response = await world.fetch(`/openapi/v1/cards/list?memberId=${"m".repeat(9_000)}`, {
      headers: auth,
    });
    expect([response.status, await response.json()]).toMatchObject([414, { code: "URI_TOO_LONG" }]);
  });

  it("allows no cross-origin access", async () => {
    const response = await world.fetch("/openapi/v1/openapi.json", {
      headers: { origin: "https://evil.test" },
    });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("logs routes and outcomes, without query and body", async () => {
    const own = caller();
    await restList(own, { memberId: "member-1" });
    await restSubmit(own, valid);
    expect(own.lines).toHaveLength(2);
    expect(JSON.parse(own.lines[0] ?? "")).toMatchObject({
      route: "/openapi/v1/cards/list",
      status: 200,
      platformId: "plt_1",
    });
    expect(own.lines.join()).not.toMatch(/member-1|erin|example\.com/i);
  });
});
