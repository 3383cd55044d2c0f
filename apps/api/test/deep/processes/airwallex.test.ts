import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ForkedFake, forkedCredentials, forkFake } from "@cardbridge/airwallex-fake";
import { createTestDatabase } from "@cardbridge/service/database/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { restList, restSubmit } from "../../support/call.ts";
import { sampleImage, sampleSelfie } from "../../support/samples.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";
import { until } from "../../support/until.ts";
import { type AdminConnection, connectAsAdmin } from "../faults/cluster/admin-connection.ts";
import { createPlatform } from "../faults/cluster/tenants.ts";

let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let admin: AdminConnection;
let fake: ForkedFake;
let key: string;
let service: ServiceProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-airwallex-"));
  [database, fake] = await Promise.all([createTestDatabase(inject("postgres")), forkFake()]);
  admin = connectAsAdmin(database.adminUrl);
  key = await createPlatform(admin, "plt_first");
});
// A process ends with the test that starts it.
beforeEach(async () => {
  service = await start();
});
afterEach(() => service.end("SIGTERM"));
afterAll(async () => {
  await admin.close();
  await Promise.all([fake.close(), database.drop()]);
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({
  PROVIDER: "airwallex",
  PROVIDER_URL: fake.url,
  PROVIDER_FILES_URL: fake.filesUrl,
  PROVIDER_CLIENT_ID: forkedCredentials.clientId,
  PROVIDER_CLIENT_SECRET: forkedCredentials.apiKey,
  PROVIDER_EVENTS_SECRETS: forkedCredentials.webhookSecret,
  DATABASE_URL: database.serviceUrl,
  FILES_DIR: join(folder, "files"),
  METRICS_PORT: "0",
  // The URLs of uploads use this address, independent of the port.
  PUBLIC_URL: "http://cardbridge.test",
  PROVIDER_KYC_TIMEOUT_MS: "60000",
  LEASE_MARGIN_MS: "1000",
});

const start = (): Promise<ServiceProcess> => startService(settings());

const caller = () => ({
  key,
  fetch: (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init),
});

async function upload(purpose: string, file: Uint8Array<ArrayBuffer> | Buffer): Promise<string> {
  const body = new FormData();
  body.append("purpose", purpose);
  body.append("file", new Blob([new Uint8Array(file)]));
  const headers = { authorization: `Bearer ${key}` };
  const answer = await caller().fetch("/openapi/v1/files", { method: "POST", headers, body });
  return ((await answer.json()) as { url: string }).url;
}

/** A submission of a new user, with only the fields that Airwallex accepts. */
async function newSubmission(tag: string) {
  const memberId = `member-${randomUUID()}`;
  return {
    memberId,
    email: `${randomUUID()}+${tag}@example.com`,
    name: "Ada Example",
    birthday: "1990-01-31",
    documentType: "passport",
    documentNumber: "E1234567X",
    documentCountry: "HK",
    documentExpiryDate: "2034-05-01",
    frontImageUrl: await upload("document_front", sampleImage),
    selfieImageUrl: await upload("selfie", sampleSelfie),
    phoneCountryCode: "+852",
    phoneNumber: String(Math.floor(Math.random() * 1e15) + 1e15),
    gender: "female",
    annualIncome: "20000-50000",
    occupation: "Engineer",
    position: "Lead",
    nationality: "HK",
    contactAddress: "38 Example Road, Hong Kong, 999077, HK",
  };
}

const cardholdersOf = async ({ email }: { email: string }) =>
  (await fake.effects()).cardholders.filter((cardholder) => cardholder.email === email);

interface Reading {
  kycRecordId: string;
  status: string;
  subStatus: string | null;
  cardAccountId: string | null;
  requests: {
    documentRequestId: string;
    accepts: { documentType: string }[];
    status: string;
    sentAt: string | null;
  }[];
  renewal: { kycRecordId: string; status: string } | null;
}

async function resultOf({ memberId }: { memberId: string }) {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await caller().fetch(`/openapi/v1/users/kyc?memberId=${memberId}`, { headers });
  return (await answer.json()) as Reading;
}

/** Kills the service during a call, and starts another one, which need not wait for the leases of the killed one. */
async function killDuring(call: object, work: () => Promise<unknown>): Promise<void> {
  await fake.fail({ kind: "timeout", ...call });
  const working = work().catch(() => undefined);
  await until(async () => (await fake.pendingFaults()) === 0);
  await service.end("SIGKILL");
  await working;
  await admin.query("update kyc_records set lease_until = now(), due_at = now() where lease_until > now()");
  service = await start();
}

const deliverEvents = () =>
  fake.admin("PUT", "/webhook", {
    url: `${service.url}/provider/events`,
    secret: forkedCredentials.webhookSecret,
    automatic: true,
  });

/** A user in review, whom Airwallex asks for a proof of address and a copy of the document. */
async function askedUser(isEventDelivered: boolean) {
  const submission = await newSubmission("pending");
  await restSubmit(caller(), submission);
  const [cardholder] = await cardholdersOf(submission);
  if (isEventDelivered) await deliverEvents();
  const sources = [{ id: cardholder?.cardholder_id }];
  const questions = [
    { key: "PROOF_OF_ADDRESS", sources },
    { key: "ID_COPY", type: "IDENTITY_DOCUMENT", sources },
  ];
  const rfi = await fake.admin<{ id: string }>("POST", "/rfis", { questions });
  if (!isEventDelivered) {
    await admin.query(
      "update kyc_records set due_at = now() where resolution = 'answered' and due_at is not null",
    );
  }
  await until(async () => (await resultOf(submission)).requests.length === 2);
  await fake.admin("DELETE", "/webhook");
  return { submission, rfiId: rfi.id };
}

const purposes: Record<string, string> = {
  ADDRESS_PROOF: "supporting_document",
  DOCUMENT_FRONT: "document_front",
};

/** Answers the open requests of the user. */
async function answerAll(submission: { memberId: string }): Promise<void> {
  const { kycRecordId, requests } = await resultOf(submission);
  for (const { documentRequestId, accepts, status } of requests) {
    if (status !== "open") continue;
    const documentType = accepts[0]?.documentType ?? "";
    const fileUrl = await upload(purposes[documentType] ?? "", sampleImage);
    const path = `/openapi/v1/users/kyc/${kycRecordId}/requests/${documentRequestId}`;
    const answer = await caller().fetch(path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ files: [{ documentType, fileUrl }] }),
    });
    expect(answer.status).toBe(200);
  }
}

const isSent = async (submission: { memberId: string }) =>
  (await resultOf(submission)).requests.every(
    ({ status, sentAt }) => status === "answered" && sentAt !== null,
  );

it("a user gets a card after an upload, a submission, an event and an approval", async () => {
  await deliverEvents();
  const submission = await newSubmission("pending");
  expect(await restSubmit(caller(), submission)).toMatchObject({
    status: 200,
    body: { status: "PENDING_APPROVAL", subStatus: "PENDING", cardAccountId: null },
  });
  expect(await restList(caller(), { memberId: submission.memberId })).toMatchObject({
    status: 200,
    body: { total: 0 },
  });

  const [cardholder, ...others] = await cardholdersOf(submission);
  const id = cardholder?.cardholder_id;
  expect(others).toEqual([]);
  await fake.admin("PUT", `/cardholders/${id}`, { status: "READY" });
  await until(async () => (await resultOf(submission)).status === "APPROVED");
  expect(await resultOf(submission)).toMatchObject({ subStatus: "READY", cardAccountId: id });

  await fake.admin("POST", "/cards", { cardholder_id: id, card_id: "card-1", last_four: "1881" });
  expect(await restList(caller(), { memberId: submission.memberId })).toMatchObject({
    status: 200,
    body: { total: 1, items: [{ cardId: "card-1", status: "ACTIVE", last4: "1881", network: "VISA" }] },
  });
  const headers = { authorization: `Bearer ${key}` };
  const card = await caller().fetch("/openapi/v1/cards/card-1", { headers });
  expect(await card.json()).toMatchObject({ cardId: "card-1", cardAccountId: id });
  expect(JSON.stringify(await fake.requests())).not.toContain(submission.memberId);
  await fake.admin("DELETE", "/webhook");
});

it("a service that is killed during any call creates one cardholder for each submission", async () => {
  const create = { method: "POST", path: "/api/v1/issuing/cardholders/create" };
  const submissions = [];
  const calls = [
    { method: "POST", path: "/api/v1/files/upload" },
    { method: "GET", path: "/api/v1/issuing/cardholders" },
    create,
    { ...create, after: true },
  ];
  const answers = [];
  for (const call of calls) {
    const submission = await newSubmission("ready");
    await fake.fail({ kind: "timeout", ...call });
    answers.push(restSubmit(caller(), submission).catch(() => undefined));
    await until(async () => (await fake.pendingFaults()) === 0);
    submissions.push(submission);
  }
  await service.end("SIGKILL");
  expect(await Promise.all(answers)).toEqual(calls.map(() => undefined));
  // The leases of the killed process would last for longer than a minute.
  await admin.query("update kyc_records set lease_until = now(), due_at = now() where lease_until > now()");
  service = await start();
  for (const submission of submissions) {
    await until(async () => (await resultOf(submission)).status === "APPROVED");
    expect(await cardholdersOf(submission)).toHaveLength(1);
  }
});

it.each([true, false])(
  "an RFI is asked of the platform and answered, whether its event arrives (%s)",
  async (arrives) => {
    const { submission, rfiId } = await askedUser(arrives);
    expect(await resultOf(submission)).toMatchObject({ requests: [{ status: "open" }, { status: "open" }] });
    await answerAll(submission);
    await until(() => isSent(submission));
    const rfi = (await fake.effects()).rfis.find(({ id }) => id === rfiId);
    expect(rfi).toMatchObject({
      status: "ANSWERED",
      active_request: {
        questions: [
          { answer: { attachments: [{ file_id: expect.any(String) }] } },
          { answer: { identity_document: { front_file_id: expect.any(String) } } },
        ],
      },
    });
  },
);

it("a service that is killed during any call of an answer answers each RFI once", async () => {
  const calls = [
    { method: "GET", path: "/api/v1/rfis" },
    { method: "GET", path: "/api/v1/rfis/" },
    { method: "POST", path: "/api/v1/files/upload" },
    { method: "POST", path: "/api/v1/rfis/" },
    { method: "POST", path: "/api/v1/rfis/", after: true },
  ];
  for (const call of calls) {
    const { submission, rfiId } = await askedUser(false);
    await killDuring(call, () => answerAll(submission));
    // The kill may have come before the second answer, which the platform then repeats.
    await answerAll(submission);
    // An answer with an unknown outcome is sent again after two queries, between which time would have to pass.
    await until(async () => {
      await admin.query("update kyc_records set due_at = now() where lease_until is null and due_at > now()");
      return isSent(submission);
    });
    const { events } = await fake.effects();
    const answered = events.filter(({ name, data }) => name === "rfi.answered" && data.id === rfiId);
    expect(answered, JSON.stringify(call)).toHaveLength(1);
  }
});

it("a service that is killed during any call of a renewal updates the cardholder of each user", async () => {
  const update = { method: "POST", path: "/api/v1/issuing/cardholders/" };
  const calls = [
    { method: "POST", path: "/api/v1/files/upload" },
    { method: "GET", path: "/api/v1/issuing/cardholders/" },
    update,
    { ...update, after: true },
  ];
  for (const call of calls) {
    const submission = await newSubmission("ready");
    await restSubmit(caller(), submission);
    const { kycRecordId, cardAccountId } = await resultOf(submission);
    await admin.query("update kyc_records set document_expiry = 'expired' where id = $1", [kycRecordId]);
    const renewal = { ...submission, documentNumber: "E7654321Z", documentExpiryDate: "2036-05-01" };
    await killDuring(call, () => restSubmit(caller(), renewal));
    await until(async () => (await resultOf(submission)).kycRecordId !== kycRecordId);
    expect(await resultOf(submission)).toMatchObject({ status: "APPROVED", cardAccountId, renewal: null });
    const identification = { number: "E7654321Z", expiry_date: "2036-05-01" };
    expect(await cardholdersOf(submission), JSON.stringify(call)).toMatchObject([
      { cardholder_id: cardAccountId, individual: { identification } },
    ]);
  }
});
