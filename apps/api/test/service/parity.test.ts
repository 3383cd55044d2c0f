import { Failure, messages, reasonMessages } from "@cardbridge/domain";
import { exampleSubmission } from "@cardbridge/service";
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
import { fakeApp, fakePorts, fullKey } from "../support/fakes.ts";
import { wrongInputs } from "./canary/wrong-inputs.ts";
import { listCases, submitCases } from "./parity.cases.ts";

const valid = exampleSubmission.input;

function caller(options: Parameters<typeof fakeApp>[0] = {}, key = fullKey) {
  const { app } = fakeApp(options);
  return { fetch: (path: string, init?: RequestInit) => app.request(path, init), key };
}

/** Serves the calls that change nothing. */
const world = caller();

const rulesOf = ({ body }: Answer) =>
  ((body as { errors?: { path: string; rule: string }[] }).errors ?? [])
    .map(({ path, rule }) => `${path} ${rule}`)
    .sort();

describe("REST and tRPC respond equally", () => {
  it.each(listCases)("a list with %s", async (_name, input, status, rules) => {
    const rest = await restList(world, input);
    const trpc = await trpcList(world, input);
    expect([rest.status, trpc.status]).toEqual([status, status]);
    expect(rulesOf(rest)).toEqual(rules);
    expect(withoutRequestId(trpc.body)).toEqual(withoutRequestId(rest.body));
  });

  it.each(submitCases)("a submission with %s", async (_name, input, status, rules) => {
    const rest = await restSubmit(caller(), input);
    const trpc = await trpcSubmit(caller(), input);
    expect([rest.status, trpc.status]).toEqual([status, status]);
    if (rules.length > 0) expect(rulesOf(rest)).toEqual(rules);
    expect(withoutRequestId(trpc.body)).toEqual(withoutRequestId(rest.body));
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
      // Only REST says that a call created a resource.
      answers.push({ status: status === 201 ? 200 : status, body: withoutRequestId(body) });
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
    const answers = [
      await restSubmit(world, valid),
      await restSubmit(world, valid),
      await trpcSubmit(world, valid),
    ];
    for (const answer of answers) {
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
    const replays = answers.map(({ headers }) => headers.get("idempotent-replayed"));
    expect(replays).toEqual([null, "true", "true"]);
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

it.each([
  [generateApiKey("test"), false, 401],
  [demoKeys.first, false, 401],
  [demoKeys.first, true, 200],
])(
  "the key %s, where demo keys are allowed: %s, gets %i over both transports (G19)",
  async (key, allowDemoKeys, status) => {
    const world = caller({ allowDemoKeys }, key);
    for (const list of [restList, trpcList]) {
      const answer = await list(world, { memberId: "member-1" });
      const challenge = status === 401 ? 'Bearer realm="cardbridge"' : null;
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([status, challenge]);
    }
  },
);

it("a body gets an error that names its limit, or the position of a syntax error without its text", async () => {
  expect(await restSubmit(world, `"${"x".repeat(70_000)}"`)).toMatchObject({
    status: 413,
    body: { errors: [{ message: "Send at most 65536 bytes." }] },
  });
  const broken = await restSubmit(world, '{\n  "name": "CANARY" CANARY\n}');
  const message = "The body is not valid JSON at line 2, column 20.";
  expect(broken).toMatchObject({ status: 400, body: { errors: [{ path: "", rule: "json", message }] } });
  expect(JSON.stringify(broken.body)).not.toContain("CANARY");
});
