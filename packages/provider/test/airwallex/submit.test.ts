import { type ForkedFake, forkFake } from "@cardbridge/airwallex-fake";
import type { ProviderKycRequest } from "@cardbridge/domain";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { memorySteps } from "../../src/conformance/inputs.ts";
import { connectAirwallex, createPath, dyingAt, resolveSubmission } from "../support/airwallex.ts";

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

/** The fault of a creation that Airwallex answers with an error. */
const answer = (status: number, code: string, source = "") => ({
  kind: "answer",
  ...create,
  status,
  body: { code, message: "Ada Example is on a list", source },
});

async function cardholders() {
  return (await fake.effects()).cardholders;
}

describe("a submission", () => {
  it("uploads each image, searches for the address, and creates one cardholder", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const contactAddress = "1 Market Street, San Francisco, CA, 94105, US";
    const backImageUrl = "https://files.example/back.png";
    const request = newRequest({ documentType: "id_card", backImageUrl, contactAddress });
    expect(await provider.submitKyc(request)).toMatchObject(ready);
    const expected = ["POST files/upload", "POST files/upload", "GET issuing/cardholders"];
    expect(await sent()).toEqual([...expected, "POST issuing/cardholders/create"]);
    const { files } = await fake.effects();
    expect(files.map(({ filename }) => filename)).toEqual(["front.jpg", "back.jpg"]);
    const [created] = (await fake.requests()).slice(-1);
    const [front, back] = files.map(({ file_id }) => file_id);
    expect(created?.body).toMatchObject({
      individual: {
        identification: { document_front_file_id: front, document_back_file_id: back },
        address: { city: "San Francisco", state: "CA", postcode: "94105", country: "US" },
      },
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
      "a response about another person",
      { kind: "merge", fields: { email: "eve@example.com" } },
      "mismatched",
    ],
    ["a response without an id", { kind: "merge", fields: { cardholder_id: null } }, "wrong-shape"],
    ["a response without a status", { kind: "merge", fields: { status: null } }, "wrong-shape"],
    ["a 409", answer(409, "conflict"), "status-409"],
    ["a 400 with an undocumented code", answer(400, "some_new_code"), "status-400:some_new_code"],
    ["a 400 of a proxy", { kind: "html", status: 400 }, "status-400"],
    ["a 403 of a proxy", { kind: "html", status: 403 }, "status-403"],
  ])(
    "is unknown after a creation with %s, and later resolved with one cardholder",
    async (_, fault, reason) => {
      const { provider, newRequest, passDeadline } = connectAirwallex(fake);
      const request = newRequest();
      await fake.fail({ ...create, ...fault });
      const submitted = provider.submitKyc(request);
      if (reason === "deadline") await passDeadline(fake);
      const retryAfterSeconds = fault.kind === "rate_limit" ? 7 : undefined;
      expect(await submitted).toMatchObject({
        outcome: "unknown",
        ...(reason && { reason }),
        ...(retryAfterSeconds && { retryAfterSeconds }),
      });
      const isCreated = "after" in fault || fault.kind === "merge" || fault.kind === "truncated";
      expect(await cardholders()).toHaveLength(isCreated ? 1 : 0);
      expect(await resolveSubmission(provider, request)).toMatchObject(ready);
      expect(await cardholders()).toHaveLength(1);
    },
  );

  it("has one deadline for all calls", async () => {
    const { provider, newRequest, passDeadline } = connectAirwallex(fake);
    await fake.fail({ kind: "slow", ...lookup, byteMs: 1_000 });
    const submitted = provider.submitKyc(newRequest());
    await passDeadline(fake, lookup);
    expect(await submitted).toEqual({ outcome: "unsent", reason: "deadline" });
    expect(await sent()).not.toContain("POST issuing/cardholders/create");
  });
});

describe("a refusal", () => {
  it.each([
    ["invalid_argument", "individual.identification.number", "/documentNumber"],
    ["field_required", "individual.address.postcode", "/contactAddress"],
    ["validation_failed", "individual.name.last_name", "/name"],
    ["validation_error", "individual.date_of_birth", "/birthday"],
    ["invalid_argument", "somewhere.else", null],
    ["invalid_argument", undefined, null],
  ])("with the code %s of %s contains the field %s", async (code, source, field) => {
    const { provider, newRequest } = connectAirwallex(fake);
    await fake.fail(answer(400, code, source));
    expect(await provider.submitKyc(newRequest())).toEqual({
      outcome: "refused",
      explanation: { reasons: [{ code: "OTHER", field }], final: false },
    });
  });

  it("of an address without certain parts is returned before anything is sent", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const refused = await provider.submitKyc(newRequest({ contactAddress: "1 Example Street, Singapore" }));
    expect(refused).toMatchObject({
      outcome: "refused",
      explanation: { reasons: [{ code: "OTHER", field: "/contactAddress" }] },
    });
    expect(await sent()).toEqual([]);
  });
});

describe("an error that only the configuration resolves", () => {
  it.each([
    [400, "account_not_authorized", "account"],
    [400, "invalid_argument", "individual.employers[0].business_identifiers[0].type"],
    [400, "field_required", "individual.cardholder_agreement_terms_consent_obtained"],
    [400, "invalid_argument", "individual.express_consent_obtained"],
    [400, "invalid_argument", "type"],
    [403, "access_denied_not_enabled", ""],
    [404, "not_found", ""],
  ])("raises an alarm: %i %s of %j", async (status, code, source) => {
    const { provider, newRequest, observed } = connectAirwallex(fake);
    const request = newRequest();
    const reason = `status-${status}:${code}`;
    await fake.fail({ ...answer(status, code, source), times: 4 });
    for (let time = 1; time <= 4; time += 1) {
      // It is never left to an operator, because a changed configuration resolves all such submissions.
      expect(await provider.submitKyc(request)).toEqual({ outcome: "unknown", reason });
    }
    expect(observed.at(-1)).toEqual({
      event: "provider_misconfigured",
      labels: { operation: "submitKyc", reason },
    });
    expect(await resolveSubmission(provider, request)).toMatchObject(ready);
  });

  it("raises an alarm for a call before the creation, which then sends nothing", async () => {
    const { provider, newRequest, observed } = connectAirwallex(fake);
    await fake.fail({ ...answer(403, "access_denied_not_enabled"), ...lookup });
    const reason = "status-403:access_denied_not_enabled";
    expect(await provider.submitKyc(newRequest())).toEqual({ outcome: "unsent", reason });
    expect(observed).toMatchObject([{ event: "provider_misconfigured" }]);
  });
});

describe("an error whose meaning is unknown", () => {
  const failing = (code: string, times: number) => fake.fail({ ...answer(400, code), times });

  it("needs attention after three equal answers, with its code", async () => {
    const { provider, newRequest, observed } = connectAirwallex(fake);
    const request = newRequest();
    await failing("some_new_code", 3);
    const unknown = { outcome: "unknown", reason: "status-400:some_new_code" };
    expect(await provider.submitKyc(request)).toEqual(unknown);
    expect(await provider.submitKyc(request)).toEqual(unknown);
    expect(await provider.submitKyc(request)).toEqual({ ...unknown, needsAttention: true });
    const kept = { answer: "status-400:some_new_code", times: "3" };
    expect(await request.steps.done("creation")).toMatchObject(kept);
    expect(observed).toEqual([]);
    expect(await provider.submitKyc(request)).toMatchObject(ready);
  });

  it("starts to count again after another answer, and does not count failures without one", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const request = newRequest();
    for (const code of ["one_code", "one_code", "another_code", "one_code", "one_code"]) {
      await failing(code, 1);
      expect(await provider.submitKyc(request)).not.toHaveProperty("needsAttention");
    }
    await fake.fail({ kind: "reset", ...create });
    expect(await provider.submitKyc(request)).toEqual({ outcome: "unknown", reason: "connection-lost" });
    await failing("one_code", 1);
    expect(await provider.submitKyc(request)).toMatchObject({ needsAttention: true });
  });

  it.each(["Ada Example is on a list", "CODE", `${"x".repeat(65)}`, ""])(
    "has no code if the text is %j",
    async (code) => {
      const { provider, newRequest } = connectAirwallex(fake);
      const request = newRequest();
      await failing(code, 1);
      expect(await provider.submitKyc(request)).toEqual({ outcome: "unknown", reason: "status-400" });
      expect(await request.steps.done("creation")).toMatchObject({ answer: "status-400" });
    },
  );
});

/** Submits a user, and returns another one with the same data. */
async function submitFirst(
  { provider, newRequest }: ReturnType<typeof connectAirwallex>,
  changes: Partial<ProviderKycRequest["applicant"]> = {},
) {
  const first = newRequest();
  await provider.submitKyc(first);
  return { first, second: { ...newRequest(), applicant: { ...first.applicant, ...changes } } };
}

describe("an e-mail address that a cardholder already has", () => {
  const refused = { outcome: "refused", explanation: { reasons: [{ code: "OTHER", field: null }] } };
  const held = { outcome: "unknown", reason: "mismatched" };

  it("is refused if another user of the service has the cardholder, even after a lost creation", async () => {
    const connected = connectAirwallex(fake);
    const { provider } = connected;
    const { second } = await submitFirst(connected);
    expect(await provider.submitKyc(second)).toMatchObject(refused);
    await second.steps.keep("creation", { at: "1" });
    expect(await provider.submitKyc(second)).toMatchObject(refused);
    expect(await second.steps.done("cardholder")).toBeUndefined();
    expect(await cardholders()).toHaveLength(1);
  });

  it("is unknown if this submission marked no creation: another party created the cardholder", async () => {
    const connected = connectAirwallex(fake);
    const { provider, users } = connected;
    const { second } = await submitFirst(connected);
    users.clear();
    expect(await provider.submitKyc(second)).toEqual(held);
    expect(await second.steps.done("cardholder")).toBeUndefined();
  });

  it.each([
    ["name", { name: "Eve Example" }],
    ["birth date", { birthday: "1991-01-31" }],
    ["mobile number", { phoneNumber: "12345678" }],
  ])("is unknown after a lost creation if the %s differs", async (_, changes) => {
    const connected = connectAirwallex(fake);
    const { provider, users } = connected;
    const { second } = await submitFirst(connected, changes);
    users.clear();
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

  it("is not refused after a lost creation, whose cardholder the error may be about", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const request = newRequest();
    await request.steps.keep("creation", { at: "1" });
    await fake.fail(answer(400, "validation_failed", "email"));
    const unknown = { outcome: "unknown", reason: "status-400:validation_failed" };
    expect(await provider.submitKyc(request)).toEqual(unknown);
  });

  it("is never created twice while lists are delayed", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    const request = newRequest();
    await fake.admin("PUT", "/settings", { listLagMs: 60_000 });
    await fake.fail({ kind: "reset", after: true, ...create });
    await provider.submitKyc(request);
    const unknown = { outcome: "unknown", reason: "status-400:bad_request" };
    expect(await resolveSubmission(provider, request)).toEqual(unknown);
    await fake.admin("PUT", "/settings", { listLagMs: 0 });
    expect(await resolveSubmission(provider, request)).toMatchObject(ready);
    expect(await cardholders()).toHaveLength(1);
  });

  it("is refused on the first creation if only Airwallex has it", async () => {
    const connected = connectAirwallex(fake);
    const { provider, users } = connected;
    const { second } = await submitFirst(connected);
    users.clear();
    // The search of a moment before found nothing: another party creates the cardholder at the same time.
    await fake.fail({ kind: "merge", ...lookup, fields: { items: [] } });
    await fake.fail(answer(400, "bad_request", "email"));
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

describe("a mobile number that a cardholder already has", () => {
  /** Another user with the number of a cardholder. */
  async function connectWithNumber() {
    const connected = connectAirwallex(fake);
    const { first } = await submitFirst(connected);
    return { ...connected, second: connected.newRequest({ phoneNumber: first.applicant.phoneNumber }) };
  }

  it("is refused on the first creation, with its field", async () => {
    const { provider, second } = await connectWithNumber();
    expect(await provider.submitKyc(second)).toEqual({
      outcome: "refused",
      explanation: { reasons: [{ code: "OTHER", field: "/phoneNumber" }], final: false },
    });
    expect(await cardholders()).toHaveLength(1);
  });

  it.each([
    ["a 429", { kind: "rate_limit" }],
    ["a 401", { kind: "expired_token" }],
    ["a 403", answer(403, "access_denied")],
  ])("is refused after a creation with %s, which was not executed", async (_, fault) => {
    const { provider, second } = await connectWithNumber();
    await fake.fail({ ...create, ...fault });
    expect(await provider.submitKyc(second)).toMatchObject({ outcome: "unknown" });
    expect(await provider.submitKyc(second)).toMatchObject({
      outcome: "refused",
      explanation: { reasons: [{ field: "/phoneNumber" }] },
    });
  });

  it("needs attention if an unknown outcome is followed by a creation that was not executed", async () => {
    const { provider, second } = await connectWithNumber();
    await fake.fail({ kind: "reset", ...create });
    await provider.submitKyc(second);
    await fake.fail({ kind: "rate_limit", ...create });
    await provider.submitKyc(second);
    const unknown = { outcome: "unknown", reason: "status-400:bad_request" };
    expect(await provider.submitKyc(second)).toEqual(unknown);
  });

  it("needs attention after a lost creation, because that creation may have used the number", async () => {
    const { provider, second } = await connectWithNumber();
    await second.steps.keep("creation", { at: "1" });
    const unknown = { outcome: "unknown", reason: "status-400:bad_request" };
    expect(await provider.submitKyc(second)).toEqual(unknown);
    expect(await provider.submitKyc(second)).toEqual(unknown);
    expect(await provider.submitKyc(second)).toEqual({ ...unknown, needsAttention: true });
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
    const answered = { outcome: "answered", subStatus, status, revision: null };
    const cardAccountId = subStatus === "READY" ? id : null;
    expect(await provider.findKyc(request)).toEqual({ ...answered, cardAccountId });
  });

  it("is unknown if Airwallex responds with another cardholder or with none", async () => {
    const { provider, newRequest, observed } = connectAirwallex(fake);
    const request = newRequest();
    await provider.submitKyc(request);
    await fake.fail({ kind: "merge", ...lookup, fields: { cardholder_id: "another" } });
    expect(await provider.findKyc(request)).toEqual({ outcome: "unknown", reason: "mismatched" });
    const steps = memorySteps();
    await steps.keep("cardholder", { id: "gone" });
    // The service uses another account or environment. A second cardholder must not be created.
    const unknown = { outcome: "unknown", reason: "status-404:not_found" };
    expect(await provider.findKyc({ ...request, steps })).toEqual(unknown);
    expect(await provider.submitKyc({ ...request, steps })).toEqual(unknown);
    expect(observed.filter(({ event }) => event === "provider_misconfigured")).toHaveLength(2);
  });
});
