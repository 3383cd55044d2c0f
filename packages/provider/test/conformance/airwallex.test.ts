import { createHash, randomUUID } from "node:crypto";
import { forkFake } from "@cardbridge/airwallex-fake";
import { type ConformanceSetup, describeCardProvider, type Scenario } from "../../src/conformance/index.ts";
import { connectAirwallex, createPath } from "../support/airwallex.ts";

const create = { method: "POST", path: createPath };
const refusal = { code: "invalid_argument", message: "…", source: "individual.identification.number" };

/** The bytes of every file of the suite. */
const image = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);

/** The creation of a renewed cardholder has a shorter path. */
const update = { method: "POST", path: "/api/v1/issuing/cardholders/", skip: 1 };
const respond = { method: "POST", path: "/api/v1/rfis/" };
const unreadable = { code: "invalid_argument", message: "…", source: "questions[0].answer.attachments" };

/** The fault of the next creation or response. The tag of an e-mail address selects the status. */
const faults: Partial<Record<Scenario, object>> = {
  "new-status": { kind: "merge", ...create, fields: { status: "ON_HOLD" } },
  refused: { kind: "answer", ...create, times: 2, status: 400, body: refusal },
  "answer-lost": { kind: "timeout", ...create, after: true },
  "request-lost": { kind: "timeout", ...create, after: false },
  "renewal-refused": { kind: "answer", ...update, times: 2, status: 400, body: refusal },
  "renewal-answer-lost": { kind: "timeout", ...update, after: true },
  "asks-answer-lost": { kind: "timeout", ...respond, after: true },
  "asks-request-lost": { kind: "timeout", ...respond, after: false },
  "asks-refused": { kind: "answer", ...respond, times: 2, status: 400, body: unreadable },
};

/** Airwallex has no field for the reference and gives no reasons. It cannot list cardholders by time. */
const traits = { references: false, reasons: false, executions: false, requests: true, renews: true };

async function setup(): Promise<ConformanceSetup> {
  const fake = await forkFake();
  const { provider, newRequest, users, stepsOf, passDeadline } = connectAirwallex(fake);

  return {
    provider,
    statuses: { approved: "READY", pending: "PENDING" },
    cardStatuses: { active: "ACTIVE", locked: "INACTIVE", other: "BLOCKED" },
    async emailFor(scenario) {
      const fault = faults[scenario];
      if (fault) await fake.fail(fault);
      if (scenario.startsWith("asks")) return `ada+pending+rfi+${randomUUID()}@example.com`;
      return `ada+${scenario === "pending" ? "pending" : "ready"}+${randomUUID()}@example.com`;
    },
    async issueCards(userReference, cards) {
      const request = newRequest();
      await provider.submitKyc(request);
      const kept = await request.steps.done("cardholder");
      if (kept?.id === undefined) throw new Error("There is no cardholder.");
      users.set(kept.id, userReference);
      for (const { cardId, status, createdAt } of cards) {
        await fake.admin("POST", "/cards", {
          cardholder_id: kept.id,
          card_id: cardId,
          card_status: status,
          created_at: createdAt.replace(".000Z", "+0000"),
        });
      }
    },
    stepsOf,
    passDeadline: ({ applicant, renews }) =>
      renews === null
        ? passDeadline(fake, { text: applicant.email })
        : passDeadline(fake, { path: update.path, end: "/update", text: applicant.phoneNumber }),
    async executions({ applicant }) {
      const { cardholders } = await fake.effects();
      return cardholders.filter(({ email }) => email === applicant.email);
    },
    documents: {
      async answers(request) {
        const kept = await request.steps.done("rfi");
        const { rfis, files } = await fake.effects();
        return rfis.flatMap(({ id, status, active_request }) => {
          const isUsed = (fileId: string) => JSON.stringify(active_request).includes(fileId);
          const used = files.filter(({ file_id }) => isUsed(file_id));
          return id === kept?.id && status === "ANSWERED" ? [{ active_request, used }] : [];
        });
      },
      received: createHash("sha256").update(image).digest("hex"),
      async passDeadline(request) {
        const kept = await request.steps.done("rfi");
        await passDeadline(fake, { path: `/api/v1/rfis/${kept?.id}/respond` });
      },
    },
    async close() {
      await provider.close();
      await fake.close();
    },
  };
}

describeCardProvider("Airwallex, against its fake", setup, traits);
