import { randomUUID } from "node:crypto";
import { forkFake } from "@cardbridge/airwallex-fake";
import { type ConformanceSetup, describeCardProvider, type Scenario } from "../../src/conformance/index.ts";
import { connectAirwallex, createPath } from "../support/airwallex.ts";

const create = { method: "POST", path: createPath };
const refusal = { code: "invalid_argument", message: "…", source: "individual.identification.number" };

/** The fault of the next creation. The tag of an e-mail address selects the status. */
const faults: Partial<Record<Scenario, object>> = {
  "new-status": { kind: "merge", ...create, fields: { status: "ON_HOLD" } },
  refused: { kind: "answer", ...create, times: 2, status: 400, body: refusal },
  "answer-lost": { kind: "timeout", ...create, after: true },
  "request-lost": { kind: "timeout", ...create, after: false },
};

/**
 * Airwallex has no field for the reference and gives no reasons. It cannot list cardholders by time. The adapter cannot
 * answer its requests for information.
 */
const traits = { references: false, reasons: false, executions: false, requests: false, renews: false };

async function setup(): Promise<ConformanceSetup> {
  const fake = await forkFake();
  const { provider, newRequest, users, passDeadline } = connectAirwallex(fake);

  return {
    provider,
    statuses: { approved: "READY", pending: "PENDING" },
    cardStatuses: { active: "ACTIVE", locked: "INACTIVE", other: "BLOCKED" },
    async emailFor(scenario) {
      const fault = faults[scenario];
      if (fault) await fake.fail(fault);
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
    passDeadline: ({ applicant }) => passDeadline(fake, { text: applicant.email }),
    async executions({ applicant }) {
      const { cardholders } = await fake.effects();
      return cardholders.filter(({ email }) => email === applicant.email);
    },
    async close() {
      await provider.close();
      await fake.close();
    },
  };
}

describeCardProvider("Airwallex, against its fake", setup, traits);
