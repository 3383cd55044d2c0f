import { type ForkedFake, forkFake } from "@cardbridge/airwallex-fake";
import { Failure, type ProviderKycRequest, type ProviderSteps } from "@cardbridge/domain";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { memorySteps } from "../../src/conformance/inputs.ts";
import { connectAirwallex, createPath } from "../support/airwallex.ts";

let fake: ForkedFake;
beforeAll(async () => {
  fake = await forkFake();
});
afterEach(() => fake.reset());
afterAll(() => fake.close());

const create = { method: "POST", path: createPath };
const upload = { method: "POST", path: "/api/v1/files/upload" };
const lookup = { method: "GET", path: "/api/v1/issuing/cardholders" };
const ready = { outcome: "answered", subStatus: "READY", status: "APPROVED" };

/** The requests to Airwallex without logins, in the form `POST files/upload`. */
async function sent(): Promise<string[]> {
  const requests = await fake.requests();
  return requests
    .map(({ method, path }) => `${method} ${path.replace("/api/v1/", "")}`)
    .filter((request) => !request.includes("authentication"));
}

async function cardholders() {
  return (await fake.effects()).cardholders;
}

/** Makes attempts as the service does: queries after an unknown outcome, and sends after "not found". */
async function resolveSubmission(
  provider: ReturnType<typeof connectAirwallex>["provider"],
  request: ProviderKycRequest,
) {
  const found = await provider.findKyc(request);
  return found.outcome === "not-found" ? provider.submitKyc(request) : found;
}

/** Simulates a crash at one of the calls of `steps`: the call is made, and then nothing more happens. */
function dyingAt(count: number, steps: ProviderSteps): ProviderSteps {
  let calls = 0;
  const die = () => {
    calls += 1;
    if (calls === count) throw new Failure("SERVICE_UNAVAILABLE");
  };
  return {
    async done(name) {
      const result = await steps.done(name);
      die();
      return result;
    },
    async keep(name, result) {
      if (count % 2 === 0) await steps.keep(name, result);
      die();
      if (count % 2 === 1) await steps.keep(name, result);
    },
  };
}

describe("a submission", () => {
  it("uploads each image, searches for the address, and creates one cardholder", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const request = newRequest({ documentType: "id_card", backImageUrl: "https://files.example/back.png" });
    expect(await provider.submitKyc(request)).toMatchObject(ready);
    const expected = ["POST files/upload", "POST files/upload", "GET issuing/cardholders"];
    expect(await sent()).toEqual([...expected, "POST issuing/cardholders/create"]);
    const { files } = await fake.effects();
    expect(files.map(({ filename }) => filename)).toEqual(["front.jpg", "back.jpg"]);
    const [created] = (await fake.requests()).slice(-1);
    const [front, back] = files.map(({ file_id }) => file_id);
    expect(created?.body).toMatchObject({
      individual: { identification: { document_front_file_id: front, document_back_file_id: back } },
    });
  });

  it("creates no second cardholder, wherever the process crashes between two calls", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    for (let count = 1; count <= 14; count += 1) {
      const request = newRequest();
      const dying = { ...request, steps: dyingAt(count, request.steps) };
      await provider.submitKyc(dying).catch(() => undefined);
      expect(await resolveSubmission(provider, request), `at call ${count}`).toMatchObject(ready);
      const mine = (await cardholders()).filter(({ email }) => email === request.applicant.email);
      expect(mine, `at call ${count}`).toHaveLength(1);
    }
  });

  it("continues after the stored uploads", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const request = newRequest();
    await fake.fail({ kind: "reset", ...lookup, times: 3 });
    expect(await provider.submitKyc(request)).toEqual({ outcome: "unsent", reason: "connection-lost" });
    expect(await provider.submitKyc(request)).toMatchObject(ready);
    expect((await fake.effects()).files).toHaveLength(1);
  });

  it.each([
    ["an upload", upload],
    ["a look-up", lookup],
  ])("is unsent after %s that failed, if no creation was sent", async (_, call) => {
    const { provider, newRequest } = connectAirwallex(fake);
    await fake.fail({ kind: "html", ...call, times: 9, status: 502 });
    expect(await provider.submitKyc(newRequest())).toEqual({ outcome: "unsent", reason: "status-502" });
    expect(await cardholders()).toEqual([]);
  });

  it.each([
    ["a timeout before the effect", { kind: "timeout" }, "deadline"],
    ["a timeout after the effect", { kind: "timeout", after: true }, "deadline"],
    ["a reset after the effect", { kind: "reset", after: true }, "connection-lost"],
    ["a truncated response", { kind: "truncated" }, undefined],
    ["HTML after the effect", { kind: "html", after: true }, "not-json"],
    ["a 500 after the effect", { kind: "html", after: true, status: 500 }, "status-500"],
    ["a 401", { kind: "expired_token" }, "status-401"],
    ["a 429", { kind: "rate_limit", retryAfterSeconds: 7 }, "status-429"],
    [
      "a response about another address",
      { kind: "merge", fields: { email: "eve@example.com" } },
      "mismatched",
    ],
    ["a response without an id", { kind: "merge", fields: { cardholder_id: null } }, "wrong-shape"],
    ["a response without a status", { kind: "merge", fields: { status: null } }, "wrong-shape"],
    ["a 409", { kind: "answer", status: 409, body: { code: "conflict", source: "" } }, "status-409"],
    [
      "a 400 about the service's account",
      { kind: "answer", status: 400, body: { code: "account_not_authorized", source: "" } },
      "status-400",
    ],
    ["a 400 of a proxy", { kind: "html", status: 400 }, "status-400"],
  ])(
    "is unknown after a creation with %s, and later resolved with one cardholder",
    async (_, fault, reason) => {
      const { provider, newRequest } = connectAirwallex(fake);
      const request = newRequest();
      await fake.fail({ ...create, ...fault });
      const answer = await provider.submitKyc(request);
      expect(answer).toMatchObject({ outcome: "unknown", ...(reason && { reason }) });
      expect(await resolveSubmission(provider, request)).toMatchObject(ready);
      expect(await cardholders()).toHaveLength(1);
    },
  );

  it("returns the Retry-After of a 429", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    await fake.fail({ kind: "rate_limit", retryAfterSeconds: 7, ...create });
    expect(await provider.submitKyc(newRequest())).toMatchObject({ retryAfterSeconds: 7 });
  });

  it("has one deadline for all calls", async () => {
    const { provider, newRequest } = connectAirwallex(fake, { deadlines: { kycMs: 400 } });
    await fake.fail({ kind: "slow", ...lookup, byteMs: 300 });
    expect(await provider.submitKyc(newRequest())).toEqual({ outcome: "unsent", reason: "deadline" });
    expect(await sent()).not.toContain("POST issuing/cardholders/create");
  });
});

describe("a refusal", () => {
  it.each([
    ["individual.identification.number", "/documentNumber"],
    ["individual.address.postcode", "/contactAddress"],
    ["individual.name.last_name", "/name"],
    ["somewhere.else", null],
    [undefined, null],
  ])("of %s contains the field %s", async (source, field) => {
    const { provider, newRequest } = connectAirwallex(fake);
    const body = { code: "invalid_argument", message: "Ada Example is on a list", source };
    await fake.fail({ kind: "answer", ...create, status: 400, body });
    expect(await provider.submitKyc(newRequest())).toEqual({
      outcome: "refused",
      explanation: { reasons: [{ code: "OTHER", field }], final: false },
    });
  });

  it("by Airwallex of an incomplete address contains the field", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const answer = await provider.submitKyc(newRequest({ contactAddress: "1 Example Street, Singapore" }));
    expect(answer).toMatchObject({ explanation: { reasons: [{ code: "OTHER", field: "/contactAddress" }] } });
  });
});

describe("an e-mail address that a cardholder already has", () => {
  const refused = { outcome: "refused", explanation: { reasons: [{ code: "OTHER", field: null }] } };
  const held = { outcome: "unknown", reason: "mismatched" };

  it("is refused if another user of the service has the cardholder, even after a lost creation", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const first = newRequest();
    await provider.submitKyc(first);
    // The same person, with the same data, as a user of another platform.
    const second = { ...newRequest(), applicant: first.applicant };
    expect(await provider.submitKyc(second)).toMatchObject(refused);
    await second.steps.keep("creation", { at: "1" });
    expect(await provider.submitKyc(second)).toMatchObject(refused);
    expect(await second.steps.done("cardholder")).toBeUndefined();
    expect(await cardholders()).toHaveLength(1);
  });

  it("is unknown if this submission marked no creation: another party created the cardholder", async () => {
    const { provider, newRequest, users } = connectAirwallex(fake);
    const first = newRequest();
    await provider.submitKyc(first);
    users.clear();
    const second = { ...newRequest(), applicant: first.applicant };
    expect(await provider.submitKyc(second)).toEqual(held);
    expect(await second.steps.done("cardholder")).toBeUndefined();
  });

  it.each([
    ["name", { name: "Eve Example" }],
    ["birth date", { birthday: "1991-01-31" }],
    ["mobile number", { phoneNumber: "12345678" }],
  ])("is unknown after a lost creation if the %s differs", async (_, changes) => {
    const { provider, newRequest, users } = connectAirwallex(fake);
    const first = newRequest();
    await provider.submitKyc(first);
    users.clear();
    const second = { ...newRequest(), applicant: { ...first.applicant, ...changes } };
    await second.steps.keep("creation", { at: "1" });
    expect(await provider.submitKyc(second)).toEqual(held);
    expect(await second.steps.done("cardholder")).toBeUndefined();
    expect(await cardholders()).toHaveLength(1);
  });

  it("is adopted after a lost creation with the same data, ignoring case and spaces", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const request = newRequest({ name: "ada  EXAMPLE" });
    await fake.fail({ kind: "reset", after: true, ...create });
    await provider.submitKyc(request);
    expect(await resolveSubmission(provider, request)).toMatchObject(ready);
    expect(await cardholders()).toHaveLength(1);
  });

  it("is never created twice while lists are delayed", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const request = newRequest();
    await fake.admin("PUT", "/settings", { listLagMs: 60_000 });
    await fake.fail({ kind: "reset", after: true, ...create });
    await provider.submitKyc(request);
    expect(await resolveSubmission(provider, request)).toEqual({ outcome: "unknown", reason: "status-400" });
    await fake.admin("PUT", "/settings", { listLagMs: 0 });
    expect(await resolveSubmission(provider, request)).toMatchObject(ready);
    expect(await cardholders()).toHaveLength(1);
  });

  it("is refused on the first creation if only Airwallex has it", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const first = newRequest();
    await provider.submitKyc(first);
    const second = newRequest({ phoneNumber: first.applicant.phoneNumber });
    expect(await provider.submitKyc(second)).toMatchObject(refused);
  });

  it.each([
    ["other addresses", { items: [{ cardholder_id: "1", status: "READY", email: "eve@example.com" }] }],
    ["more pages", { has_more: true }],
    ["no list", { items: {} }],
  ])("is not searched for in a response with %s", async (_, fields) => {
    const { provider, newRequest } = connectAirwallex(fake);
    await fake.fail({ kind: "merge", ...lookup, fields });
    expect(await provider.submitKyc(newRequest())).toMatchObject({ outcome: "unsent" });
    expect(await sent()).not.toContain("POST issuing/cardholders/create");
  });
});

describe("a query", () => {
  it.each([
    ["INCOMPLETE", "PENDING"],
    ["PENDING", "PENDING_APPROVAL"],
    ["READY", "APPROVED"],
    ["DISABLED", "REJECTED"],
    ["DELETED", "REJECTED"],
  ])("maps %s to %s, and passes the raw status", async (subStatus, status) => {
    const { provider, newRequest } = connectAirwallex(fake);
    const request = newRequest();
    await provider.submitKyc(request);
    const id = (await request.steps.done("cardholder"))?.id;
    await fake.admin("PUT", `/cardholders/${id}`, { status: subStatus });
    const cardAccountId = subStatus === "READY" ? id : null;
    expect(await provider.findKyc(request)).toEqual({
      outcome: "answered",
      subStatus,
      status,
      cardAccountId,
      revision: null,
    });
  });

  it("is unknown if Airwallex responds with another cardholder or with none", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const request = newRequest();
    await provider.submitKyc(request);
    await fake.fail({ kind: "merge", ...lookup, fields: { cardholder_id: "another" } });
    expect(await provider.findKyc(request)).toEqual({ outcome: "unknown", reason: "mismatched" });
    const steps = memorySteps();
    await steps.keep("cardholder", { id: "gone" });
    expect(await provider.findKyc({ ...request, steps })).toEqual({
      outcome: "unknown",
      reason: "status-404",
    });
  });
});
