import { randomUUID } from "node:crypto";
import {
  type Attempt,
  type AttemptId,
  type KycRecord,
  type ManualDecision,
  planRetry,
} from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { requeueRecord } from "../../src/index.ts";
import { codeOf } from "../support/calls.ts";
import { answered, aRequest, makeWorld, someone } from "../support/world.ts";

/*
 * Every order of a provider's event, a manual decision and four attempts about a record. An answered record may be asked
 * about, but is never loaded to be sent: a provider that does not know the reference would execute the submission twice.
 */
const { admin, kyc, platform, ports, records, set } = await makeWorld();
const platformId = await platform();

/** How the first attempts end. The domain plans the next one; each list plans to send the submission again. */
const endings = [
  ["unsent", "unsent", "unsent"],
  ["unknown", "not-found", "not-found"],
] as const;
type Ending = (typeof endings)[number][number];

/** An answer can arrive after the creation, and after each end, lease and load of the attempts. */
const moments = Array.from({ length: 9 }, (_, moment) => moment);

const decide = (decision: ManualDecision) => (record: KycRecord) =>
  records.resolve(record.kycRecordId, { decision });
const reference = ({ kycRecordId, externalUserId }: KycRecord) => ({
  reference: kycRecordId,
  userReference: externalUserId,
});
const decision = (subStatus: "pending_approval" | "approved") =>
  ({ outcome: "answered", subStatus, cardAccountId: null }) as const;

const answers = {
  pending: decide(decision("pending_approval")),
  approved: decide(decision("approved")),
  refused: decide({ outcome: "refused" }),
  event: (record: KycRecord) => kyc.recordProviderUpdate(reference(record), answered("pending_approval")),
  // The provider reports a change: the record is due, also after a final decision.
  requeue: (record: KycRecord) => codeOf(requeueRecord(ports, reference(record))),
};
type Order = readonly { answer: keyof typeof answers; moment: number }[];

const orders: Order[] = [
  ...(["pending", "event"] as const).flatMap((answer) => moments.map((moment) => [{ answer, moment }])),
  ...(["pending", "approved", "refused"] as const).flatMap((decided) =>
    (["event", "requeue"] as const).flatMap((other) =>
      moments.flatMap((moment) =>
        moments.map((later) => [
          { answer: decided, moment },
          { answer: other, moment: later },
        ]),
      ),
    ),
  ),
];

interface Run {
  order: Order;
  record: KycRecord;
  /** The attempt that was loaded last, until it ends. */
  attempt: Attempt | null;
  /** The next step, as planned by the attempt that ended. */
  planned: Attempt["step"];
  leased: AttemptId | undefined;
}

/** A record whose first attempt sends it. */
async function create(order: Order): Promise<Run> {
  const request = aRequest(someone(randomUUID()));
  const { record } = await kyc.createOrReplay(platformId, request);
  const attempt = { record, step: "send", notFound: 0, submission: request.submission, fingerprint: "" };
  return { order, record, attempt: attempt as Attempt, planned: "send", leased: undefined };
}

async function end(run: Run, outcome: Ending): Promise<void> {
  const { attempt } = run;
  if (!attempt) return;
  const plan = planRetry(attempt, outcome === "not-found" ? { outcome } : { outcome, reason: "timeout" });
  Object.assign(run, { attempt: null, planned: plan.step });
  await kyc.reschedule(platformId, attempt.record, { ...plan, delayMs: 0 });
}

const storedToSend = () =>
  admin("select id from kyc_records where resolution <> 'unresolved' and step = 'send'");

const leases = {
  async worker(runs: readonly Run[]) {
    await admin("update kyc_records set due_at = clock_timestamp() where due_at is not null");
    const due = new Map((await kyc.leaseDue(10_000)).map((leased) => [leased.kycRecordId, leased]));
    for (const run of runs) run.leased = due.get(run.record.kycRecordId);
  },
  async operator(runs: readonly Run[]) {
    const leaseOne = async (run: Run) => {
      const { kycRecordId, attempt } = run.leased ?? run.record;
      const step = run.planned === "send" ? { step: run.planned, after: attempt } : { step: run.planned };
      run.leased = await records.lease(kycRecordId, step).catch(() => undefined);
    };
    await Promise.all(runs.map(leaseOne));
  },
};

describe.each(["worker", "operator"] as const)("attempts that the %s leases", (lessee) => {
  test.each(endings)("never send an answered record after %s, %s, %s", async (...outcomes) => {
    const runs = await Promise.all(orders.map(create));
    let moment = 0;
    const arrive = async () => {
      const now = moment++;
      const arriving = runs.map(async ({ order, record }) => {
        for (const each of order) if (each.moment === now) await answers[each.answer](record);
      });
      await Promise.all(arriving);
    };
    const load = async (run: Run) => {
      run.attempt = run.leased ? await kyc.loadAttempt(platformId, run.leased) : null;
    };
    await arrive();
    for (const outcome of outcomes) {
      await Promise.all(runs.map((run) => end(run, outcome)));
      expect(await storedToSend()).toEqual([]);
      await arrive();
      await leases[lessee](runs);
      await arrive();
      await Promise.all(runs.map(load));
      const sent = runs.filter(({ attempt }) => attempt?.step === "send");
      const sentAfterAnswer = sent.filter(({ attempt }) => attempt?.record.resolution !== "unresolved");
      expect(sentAfterAnswer.map(({ order }) => order)).toEqual([]);
      await arrive();
    }
  });
});

test("an answered record that an earlier version stored to be sent is loaded to be asked", async () => {
  const { record } = await create([]);
  await kyc.storeVerdict(platformId, record, answered("pending_approval"));
  await set(record.kycRecordId, "step = 'send', due_at = clock_timestamp()");
  await kyc.leaseDue(10_000);
  const loaded = await kyc.loadAttempt(platformId, { ...record, attempt: 2 });
  expect(loaded).toMatchObject({ step: "ask", record: { resolution: "answered" } });
});
