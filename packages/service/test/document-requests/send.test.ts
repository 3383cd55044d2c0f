import type { ProviderAnswer } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { recordRequests } from "../../src/document-requests/record.ts";
import { resolveDue } from "../../src/index.ts";
import {
  aRequestForDocument,
  askedRecord,
  requestingProvider,
  statement,
} from "../support/document-requests.ts";
import { makeWorld } from "../support/world.ts";

const world = await makeWorld();
type Asked = Awaited<ReturnType<typeof askedRecord>>;
const unknown = { outcome: "unknown", reason: "deadline" } as const;

async function answeredRecord() {
  const asked = await askedRecord(world);
  const { data } = await asked.answer();
  return { ...asked, documentRequestId: data.documentRequestId };
}

test("the next attempt sends an answer once, under its own reference and without a member id", async () => {
  const { about, provider, attempt, requests, documentRequestId } = await answeredRecord();
  for (let attempts = 0; attempts < 3; attempts += 1) await attempt();
  expect(provider.answers).toHaveLength(1);
  const [{ steps: _steps, files: _files, ...sent } = {}] = provider.answers as object[] as Record<
    string,
    unknown
  >[];
  expect(sent).toEqual({
    ...about,
    requestId: "req_1",
    answerReference: expect.stringMatching(`^${documentRequestId}_\\d{16}$`),
    documents: [statement()],
  });
  expect(await requests()).toMatchObject([{ status: "answered", sentAt: expect.any(String) }]);
});

test("an answer with an unknown outcome is sent again only after two asks that show the request as open", async () => {
  const { provider, attempt, requests } = await answeredRecord();
  provider.replies = [unknown, new Error("connection lost")];
  const counts: number[] = [];
  for (let attempts = 0; attempts < 7; attempts += 1) {
    await attempt();
    counts.push(provider.answers.length);
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 3, 3]);
  expect(new Set(provider.answers.map(({ answerReference }) => answerReference)).size).toBe(1);
  expect(await requests()).toMatchObject([{ sentAt: expect.any(String) }]);
});

test("an answer keeps its reference when the provider changes its request between two attempts to send it", async () => {
  const { provider, attempt } = await answeredRecord();
  provider.replies = [unknown];
  await attempt();
  provider.reports = [aRequestForDocument({ revision: 2, dueAt: "2026-03-01T12:00:00.000Z" })];
  for (let attempts = 0; attempts < 2; attempts += 1) await attempt();
  const references = provider.answers.map(({ answerReference }) => answerReference);
  expect(references).toEqual([references[0], references[0]]);
});

test("an answer that arrived although its outcome was unknown is not sent again", async () => {
  const { provider, attempt, requests } = await answeredRecord();
  provider.replies = [unknown];
  await attempt();
  provider.reports = [aRequestForDocument({ status: "answered", revision: 2 })];
  for (let attempts = 0; attempts < 3; attempts += 1) await attempt();
  expect(provider.answers).toHaveLength(1);
  expect(await requests()).toMatchObject([{ status: "answered", sentAt: expect.any(String) }]);
});

test("an answer that its process has delayed is not sent, and the next attempts ask twice", async () => {
  const { ports, provider, attempt } = await answeredRecord();
  await attempt({ ...ports, callSeconds: ports.leaseSeconds });
  expect(provider.answers).toEqual([]);
  await attempt();
  expect(provider.answers).toEqual([]);
  await attempt();
  expect(provider.answers).toHaveLength(1);
});

test("a report that nothing arrived changes nothing if another attempt has sent the answer since", async () => {
  const { ports, provider, attempt } = await answeredRecord();
  const late = {
    ...ports.provider,
    async answerRequest() {
      provider.replies = [unknown];
      for (let attempts = 0; attempts < 2; attempts += 1) await attempt();
      return { outcome: "unsent", reason: "connection-refused" } as const;
    },
  };
  await attempt({ ...ports, provider: late });
  await attempt();
  expect(provider.answers).toHaveLength(1);
});

test("an answer that provably did not arrive is sent by the next attempt", async () => {
  const { provider, attempt } = await answeredRecord();
  provider.replies = [{ outcome: "unsent", reason: "connection-refused" }];
  await attempt();
  await attempt();
  expect(provider.answers).toHaveLength(2);
});

test("a refusal of the files opens the request again, with its reason, for other files", async () => {
  const { provider, attempt, requests, answer, changes } = await answeredRecord();
  provider.replies = [{ outcome: "refused", reason: "DOCUMENT_UNREADABLE" }];
  await attempt();
  expect(await requests()).toMatchObject([
    { status: "open", answeredAt: null, sentAt: null, reason: { code: "DOCUMENT_UNREADABLE" } },
  ]);
  await answer([statement("sharper")]);
  await attempt();
  expect(provider.answers[1]?.documents).toEqual([statement("sharper")]);
  const statuses = (await changes()).map(({ request }) => request.status);
  expect(statuses).toEqual(["open", "answered", "open", "answered"]);
  // Other content under a known reference is a conflict at the provider.
  expect(new Set(provider.answers.map(({ answerReference }) => answerReference)).size).toBe(2);
});

test("a refusal that arrives late changes nothing in the answer after it", async () => {
  const { ports, provider, attempt, requests, answer } = await answeredRecord();
  const { answerRequest } = provider;
  const late = {
    ...ports.provider,
    async answerRequest(sent: ProviderAnswer) {
      provider.replies = [unknown, { outcome: "refused", reason: "DOCUMENT_UNREADABLE" }];
      await answerRequest(sent);
      // The lease ends before this reply. Other attempts ask twice and send again, and the platform has other files.
      for (let attempts = 0; attempts < 2; attempts += 1) await attempt();
      await answer([statement("sharper")]);
      return { outcome: "refused", reason: "DOCUMENT_UNREADABLE" } as const;
    },
  };
  await attempt({ ...ports, provider: late });
  expect(await requests()).toMatchObject([{ status: "answered" }]);
  await attempt();
  expect(provider.answers.at(-1)?.documents).toEqual([statement("sharper")]);
});

test("an answer waits while the provider does not show its request", async () => {
  const { provider, attempt } = await answeredRecord();
  provider.reports = [aRequestForDocument({ id: "req_2" })];
  for (let attempts = 0; attempts < 3; attempts += 1) await attempt();
  expect(provider.answers).toEqual([]);
  provider.reports = [aRequestForDocument()];
  await attempt();
  expect(provider.answers).toHaveLength(1);
});

test("a decision before the answer is sent closes the request, and nothing is sent", async () => {
  const { provider, attempt, requests } = await answeredRecord();
  Object.assign(provider, { subStatus: "approved", revision: 2 });
  await attempt();
  expect(provider.answers).toEqual([]);
  expect(await requests()).toMatchObject([{ status: "closed", sentAt: null }]);
});

test("an attempt that lost its record sends nothing", async () => {
  const { ports, provider, kycRecordId, platformId, about } = await answeredRecord();
  await world.admin("update kyc_records set due_at = now(), lease_until = null where id = $1", [kycRecordId]);
  const [due] = await ports.kycRecords.leaseDue(1);
  if (!due) throw new Error("The record is not due.");
  const { findKyc } = provider;
  const overtaken = {
    ...ports.provider,
    async findKyc() {
      await world.admin("update kyc_records set attempt = attempt + 1 where id = $1", [kycRecordId]);
      return findKyc();
    },
  };
  await resolveDue({ ...ports, provider: overtaken }, due);
  expect(provider.answers).toEqual([]);
  expect(await recordRequests(ports, platformId, about, [], "event")).toBe(true);
});

test.each([
  ["without an answer", async () => {}],
  ["with a sent answer", ({ answer, attempt }: Asked) => answer().then(() => attempt())],
] as const)("a record in review %s keeps its schedule", async (_name, prepare) => {
  const asked = await askedRecord(world);
  await prepare(asked);
  await asked.attempt();
  const [row] = await world.admin(
    "select due_at > now() + interval '4 seconds' as later from kyc_records where id = $1",
    [asked.kycRecordId],
  );
  expect(row).toEqual({ later: true });
});

test("the attempt owns the record while it sends an answer, however long the look-up took", async () => {
  const { ports, provider, kycRecordId, attempt } = await answeredRecord();
  const { findKyc } = provider;
  const lease = (): Promise<{ whole: boolean }[]> =>
    world.admin(
      "select lease_until > now() + interval '20 seconds' and due_at = lease_until as whole from kyc_records where id = $1",
      [kycRecordId],
    );
  let during: unknown;
  const slow = {
    ...ports.provider,
    async findKyc() {
      await world.admin("update kyc_records set lease_until = now(), due_at = now() where id = $1", [
        kycRecordId,
      ]);
      return findKyc();
    },
    async answerRequest() {
      during = await lease();
      return { outcome: "accepted" as const };
    },
  };
  await attempt({ ...ports, provider: slow });
  expect(during).toEqual([{ whole: true }]);
});

describe("requests that the provider takes together", () => {
  const together = "round_1";
  const both = [
    aRequestForDocument({ together }),
    aRequestForDocument({ id: "req_2", requestedAt: "2026-01-31T12:00:01.000Z", together }),
  ];

  /** A record with two requests that belong together, and another one. */
  async function askedTwice() {
    const provider = requestingProvider();
    provider.reports = [
      ...both,
      aRequestForDocument({ id: "req_3", requestedAt: "2026-01-31T12:00:02.000Z" }),
    ];
    const asked = await askedRecord(world, provider);
    const ids = (await asked.requests()).map(({ documentRequestId }) => documentRequestId);
    return {
      ...asked,
      answerOf: (index: number) => asked.answer([statement(`${index}`)], { id: ids[index] ?? "" }),
    };
  }

  test("are sent in one call once all of them are answered, and another one is not held up", async () => {
    const { provider, attempt, answerOf, requests } = await askedTwice();
    const sent = () =>
      provider.answers.map(({ requestId, others = [] }) => [
        requestId,
        ...others.map((one) => one.requestId),
      ]);
    await answerOf(0);
    await attempt();
    expect(sent()).toEqual([]);
    await answerOf(2);
    await attempt();
    expect(sent()).toEqual([["req_3"]]);
    await answerOf(1);
    for (let attempts = 0; attempts < 3; attempts += 1) await attempt();
    expect(sent()).toEqual([["req_3"], ["req_1", "req_2"]]);
    expect(provider.answers[1]?.others?.[0]?.documents).toEqual([statement("1")]);
    expect((await requests()).every(({ sentAt }) => sentAt !== null)).toBe(true);
  });

  test("are sent again together only after two asks, under one reference", async () => {
    const { provider, attempt, answerOf } = await askedTwice();
    for (const index of [0, 1]) await answerOf(index);
    provider.replies = [unknown];
    const counts: number[] = [];
    for (let attempts = 0; attempts < 4; attempts += 1) {
      await attempt();
      counts.push(provider.answers.length);
    }
    expect(counts).toEqual([1, 1, 2, 2]);
    expect(new Set(provider.answers.map(({ answerReference }) => answerReference)).size).toBe(1);
  });

  test("open again together if the provider refuses the files", async () => {
    const { provider, attempt, answerOf, requests } = await askedTwice();
    for (const index of [0, 1]) await answerOf(index);
    provider.replies = [{ outcome: "refused", reason: "OTHER" }];
    await attempt();
    expect((await requests()).map(({ status }) => status)).toEqual(["open", "open", "open"]);
  });
});

test("an answer during an attempt makes the next one due within a second", async () => {
  const { ports, provider, kycRecordId, answer } = await askedRecord(world);
  await world.admin(
    "update kyc_records set due_at = now(), lease_until = null, created_at = now() - interval '30 days' where id = $1",
    [kycRecordId],
  );
  const { findKyc } = provider;
  const answering = {
    ...ports.provider,
    async findKyc() {
      const reply = await findKyc();
      await answer();
      return { ...reply, requests: [] };
    },
  };
  for (const due of await ports.kycRecords.leaseDue(1))
    await resolveDue({ ...ports, provider: answering }, due);
  const [row] = await world.admin(
    "select due_at < now() + interval '2 seconds' as soon from kyc_records where id = $1",
    [kycRecordId],
  );
  expect(row).toEqual({ soon: true });
});
