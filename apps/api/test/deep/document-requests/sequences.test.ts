import type { WebhookPayload } from "@cardbridge/domain";
import fc from "fast-check";
import { Pool } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { demoKeys } from "../../../src/admission/api-key.ts";
import { basePath } from "../../../src/config/paths.ts";
import { readAnswer } from "../../support/call.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { newSubmission, startTestService } from "../../support/test-service.ts";
import { trpcClient } from "../../support/trpc.ts";
import { callProvider } from "../faults/clients/provider-act.ts";
import { signedHeaders } from "../faults/clients/provider-event.ts";
import { createModel, type Report } from "./model.ts";

/* Random acts of the provider and calls of the platform, with events that arrive at once, late and twice. */

const documentType = fc.constantFrom("BANK_STATEMENT", "SELFIE");
/** The place of a request in the readings, which can be one that does not exist. */
const place = fc.nat(2);
const step = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("act" as const),
      act: fc.constantFrom("approve" as const, "reject" as const),
      documentType,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("act" as const),
      act: fc.constant("ask-document" as const),
      documentType,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      place,
      how: fc.constantFrom("files", "files", "others", "wrong-type", "foreign"),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("attempt" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("event" as const),
      request: fc.option(place),
      isHeld: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("late" as const), held: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("submit" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
const sequence = fc.array(fc.record({ step, overTrpc: fc.boolean() }), { minLength: 2, maxLength: 12 });

interface ProviderState {
  reference: string;
  userReference: string;
  status: string;
  requests?: { documentType: string; status: string; revision: number }[];
}

interface Event {
  report: Report;
  state: ProviderState;
  /** The place of its request at the provider; null for the event of the submission. */
  request: number | null;
}

const size = Number(process.env.SEQUENCES ?? 100);
const sandboxClock = createManualClock();
/** What the endpoint received, in the order of arrival. */
const delivered: WebhookPayload[] = [];
/** Resolves when the attempt that a test waits for has stored its result; undefined while no attempt may start. */
let attemptStored: (() => void) | undefined;
const service = await startTestService({
  sandboxClock,
  events: false,
  env: { RUN: "all" },
  overrides: {
    resolveIntervalMs: 2,
    // The worker makes one attempt at a time, when a sequence lets it.
    kycRecords: (records) => ({
      ...records,
      leaseDue: async (limit) => (attemptStored ? records.leaseDue(limit) : []),
      async storeVerdict(...input) {
        const change = await records.storeVerdict(...input);
        attemptStored?.();
        return change;
      },
    }),
    webhookSender: () => ({
      async send({ payload }) {
        delivered.push(payload);
        return { outcome: { kind: "answered", status: 200, excerpt: "" }, milliseconds: 0 };
      },
    }),
  },
});
const admin = new Pool({ connectionString: service.adminUrl, max: 1 });
const { fetch: call, key } = service.caller();
const trpc = trpcClient({ url: service.url, apiKey: key });

const headersOf = (apiKey: string) => ({
  authorization: `Bearer ${apiKey}`,
  "content-type": "application/json",
});

interface Post {
  overTrpc: boolean;
  operation: string;
  path: string;
  /** The ids in the path of REST. */
  ids?: Record<string, string>;
  apiKey?: string;
}

async function post({ overTrpc, operation, path, ids = {}, apiKey = key }: Post, body: object) {
  const target = overTrpc ? `/trpc/${operation}` : basePath + path;
  const input = overTrpc ? { ...ids, ...body } : body;
  return readAnswer(
    await call(target, { method: "POST", headers: headersOf(apiKey), body: JSON.stringify(input) }),
  );
}

async function rest(path: string) {
  return (await readAnswer(await call(basePath + path, { headers: headersOf(key) }))).body;
}

/** Lets the worker make one attempt of this record, and waits for its result. */
async function attempt(kycRecordId: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await admin.query(
    `update kyc_records set due_at = case when id = $1 then clock_timestamp() else clock_timestamp() + interval '1 day' end
     where due_at is not null`,
    [kycRecordId],
  );
  attemptStored = () => {
    attemptStored = undefined;
    resolve();
  };
  await promise;
}

/** A user with a submission, the model of its record, and the steps that a sequence takes. */
async function startSequence(asks: boolean) {
  const submission = newSubmission(asks ? "asks-bank-statement" : "pending");
  const { memberId } = submission;
  const { lastEventId } = await trpc.kyc.listChanges.query({});
  const submit = (overTrpc: boolean) =>
    post({ overTrpc, operation: "kyc.submit", path: "/users/kyc" }, submission);
  const { kycRecordId } = (await submit(false)).body as { kycRecordId: string };
  const model = createModel(asks);
  model.attempt(true);
  const held: Event[] = [];

  const readState = async () =>
    (await callProvider(service.env.PROVIDER_URL, `/v1/kyc/${kycRecordId}`)) as ProviderState;

  async function deliver({ report, state, request }: Event): Promise<void> {
    const { requests = [], ...names } = state;
    const data =
      request === null
        ? state
        : { reference: names.reference, userReference: names.userReference, request: requests[request] };
    const type = request === null ? "kyc.updated" : "kyc.request_updated";
    const body = JSON.stringify({ type, data });
    const response = await call("/provider/events", { method: "POST", headers: signedHeaders(body), body });
    expect(response.status).toBe(204);
    model.event(report, request);
  }

  async function answer(overTrpc: boolean, of: number, how: string): Promise<void> {
    const known = (await trpc.kyc.history.query({ kycRecordId })).requests[of];
    const accepted = known?.documentType ?? "BANK_STATEMENT";
    const isAccepted = how !== "wrong-type";
    const given = isAccepted ? accepted : accepted === "SELFIE" ? "BANK_STATEMENT" : "SELFIE";
    const ids = { kycRecordId, documentRequestId: known?.documentRequestId ?? "dreq_unknown" };
    const name = how === "others" ? "others" : "files";
    const files = [
      { documentType: given, fileUrl: `https://files.example.com/${memberId}/${of}/${name}.jpg` },
    ];
    const path = `/users/kyc/${kycRecordId}/requests/${ids.documentRequestId}`;
    const apiKey = how === "foreign" ? demoKeys.second : key;
    const { status } = await post({ overTrpc, operation: "kyc.answerRequest", path, ids, apiKey }, { files });
    expect(status).toBe(how === "foreign" ? 404 : model.answer(of, name, isAccepted));
  }

  async function take(one: Step, overTrpc: boolean): Promise<void> {
    switch (one.do) {
      case "act": {
        const input = {
          memberId,
          act: one.act,
          ...(one.act === "ask-document" && { documentType: one.documentType }),
        };
        const { status } = await post({ overTrpc, operation: "sandbox.act", path: "/sandbox/acts" }, input);
        return expect(status).toBe(model.act(one.act, one.documentType) ? 200 : 409);
      }
      case "answer":
        return answer(overTrpc, one.place, one.how);
      case "attempt":
        // A decided record has no further attempts.
        if (model.isDecided()) return;
        await attempt(kycRecordId);
        return model.attempt();
      case "event": {
        const event = { report: model.report(), state: await readState(), request: one.request };
        if (one.request !== null && !event.report.requests[one.request]) return;
        if (one.isHeld) held.push(event);
        else await deliver(event);
        return;
      }
      case "late": {
        const event = held[one.held];
        if (event) await deliver(event);
        return;
      }
      case "submit":
        expect((await submit(overTrpc)).body).toMatchObject({ kycRecordId });
    }
  }

  /** Compares the provider, and every reading over both transports, with the model. */
  async function compare(): Promise<void> {
    const { status, requests = [] } = await readState();
    const reported = model.report();
    expect({ status: status.toUpperCase(), requests }).toMatchObject({
      status: reported.status,
      requests: reported.requests,
    });
    const history = await trpc.kyc.history.query({ kycRecordId });
    expect(await rest(`/users/kyc/${kycRecordId}`)).toEqual(history);
    const latest = await trpc.kyc.get.query({ memberId });
    expect(await rest(`/users/kyc?memberId=${memberId}`)).toEqual(latest);
    const { history: states, memberId: _, ...result } = history;
    expect(latest).toEqual({ ...result, renewal: null });
    expect(states.at(-1)).toMatchObject({ status: model.record.status });
    expect(result).toMatchObject({
      status: model.record.status,
      requests: model.requests().map(({ documentType, status, answeredAt, sentAt }) => ({
        documentType,
        status,
        answeredAt: answeredAt ? expect.any(String) : null,
        sentAt: sentAt ? expect.any(String) : null,
      })),
    });
  }

  async function ownChanges() {
    const found = [];
    for (let after = lastEventId; ; ) {
      const page = await trpc.kyc.listChanges.query({ lastEventId: after });
      found.push(...page.changes.filter(({ data }) => data.kycRecordId === kycRecordId));
      if (!page.more) return found;
      after = page.lastEventId;
    }
  }

  /** Compares the changes and the events of webhooks with the model, in their order. */
  async function compareChanges(): Promise<void> {
    // Transactions of other tests on the server delay the changes, those of an earlier sequence too.
    await expect.poll(async () => (await ownChanges()).length).toBeGreaterThanOrEqual(model.changes.length);
    const changes = await ownChanges();
    expect(
      changes.map(({ type, data: { sequence, ...data } }) => ({ type, sequence, ...data })),
    ).toMatchObject(model.changes.map((change, index) => ({ ...change, sequence: index + 1, kycRecordId })));
    const received = () =>
      delivered.filter(({ data }) => "kycRecordId" in data && data.kycRecordId === kycRecordId);
    await expect.poll(() => received().length).toBe(changes.length);
    expect(received().map(({ type, data }) => ({ type, data }))).toEqual(
      changes.map(({ type, data }) => ({ type, data })),
    );
  }

  return { take, compare, compareChanges };
}

it(`${size} random sequences give every reading, change and webhook of the model`, async () => {
  onTestFinished(async () => {
    await admin.end();
    await service.stop();
  });
  const eventTypes = ["kyc.updated", "kyc.request_updated"];
  const endpoint = { url: "https://hooks.example.com/", eventTypes };
  await post({ overTrpc: false, operation: "webhooks.create", path: "/webhooks" }, endpoint);
  const property = fc.asyncProperty(fc.boolean(), sequence, async (asks, steps) => {
    // The service signs its calls with the time of the machine, from which the sandbox's clock may differ by 300 s.
    sandboxClock.advance(Math.max(0, Date.now() - sandboxClock.now()));
    const { take, compare, compareChanges } = await startSequence(asks);
    await compare();
    for (const { step, overTrpc } of steps) {
      // Two changes at the provider have different times.
      sandboxClock.advance(1);
      await take(step, overTrpc);
      await compare();
    }
    await compareChanges();
  });
  await fc.assert(property, { numRuns: size });
});
