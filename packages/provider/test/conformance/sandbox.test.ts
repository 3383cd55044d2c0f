import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@cardbridge/egress/testing";
import { startSandbox } from "@cardbridge/sandbox";
import { expect } from "vitest";
import { z } from "zod";
import { type ConformanceSetup, describeCardProvider, type Scenario } from "../../src/conformance/index.ts";
import { createCardProvider } from "../../src/index.ts";

const tags: Record<Scenario, string> = {
  approved: "approved",
  pending: "pending",
  "new-status": "new-status",
  refused: "refused",
  "refused-expired": "document-expired",
  "rejected-expired": "rejected+document-expired+final",
  "unknown-reason": "unknown-reason",
  "restricted-reason": "watch-list-match+final",
  "invalid-reasons": "invalid-reasons",
  "answer-lost": "timeout-after-effect",
  "request-lost": "timeout-before-effect",
  mismatched: "mismatched",
  "asks-document": "asks-bank-statement",
  "asks-answer-lost": "asks-bank-statement+answer-timeout",
  "asks-request-lost": "asks-bank-statement+answer-lost",
  "asks-refused": "asks-selfie+answer-refused",
  "renewal-refused": "approved+renewal+refused",
  "renewal-answer-lost": "approved+renewal+timeout-after-effect",
};

const entries = z.array(z.looseObject({ reference: z.string() }));
const answers = z.array(z.looseObject({ answerReference: z.string(), outcome: z.string() }));
const executions = z.array(
  z.looseObject({ reference: z.string(), requests: z.array(z.object({ answers })) }),
);
const ledger = z.object({ executions, attempts: entries });

const traits = { references: true, reasons: true, executions: true, requests: true, renews: true };

const kycMs = 60_000;

async function setup(): Promise<ConformanceSetup> {
  const dataFolder = await mkdtemp(join(tmpdir(), "cardbridge-provider-"));
  const client = { clientId: "conformance", clientSecret: "a secret of this test" };
  const sandbox = await startSandbox({ dataFolder, ...client });
  const clock = createClock();
  const provider = createCardProvider({
    baseUrl: sandbox.url,
    ...client,
    deadlines: { kycMs },
    startTimer: clock.startTimer,
    observer: { observe() {} },
  });
  const readLedger = async () => ledger.parse(await (await fetch(`${sandbox.url}/_ledger`)).json());

  /** All answers that the sandbox received for a submission, also those without an effect. */
  async function answersOf({ reference }: { reference: string }) {
    const execution = (await readLedger()).executions.find((one) => one.reference === reference);
    return execution?.requests.flatMap((request) => request.answers) ?? [];
  }

  return {
    provider,
    documents: {
      async answers(request) {
        const effects = ["accepted", "timeout-after-effect"];
        return (await answersOf(request)).filter(({ outcome }) => effects.includes(outcome));
      },
      received: "https://files.example/answer.png",
      async passDeadline(request) {
        await expect.poll(async () => (await answersOf(request)).length).toBe(1);
        clock.advance(kycMs);
      },
    },
    emailFor: (scenario) => `ada+${tags[scenario]}@example.com`,
    async issueCards(userReference, cards) {
      const body = JSON.stringify({ cards: cards.map((card) => ({ userReference, ...card })) });
      const headers = { "content-type": "application/json" };
      const { status } = await fetch(`${sandbox.url}/_cards`, { method: "PUT", headers, body });
      if (status !== 200) throw new Error(`PUT /_cards answered ${status}.`);
    },
    statuses: { approved: "approved", pending: "pending_approval" },
    cardStatuses: { active: "active", locked: "locked", other: "frozen_by_issuer" },
    async passDeadline({ reference }) {
      const arrived = async () => (await readLedger()).attempts.map((attempt) => attempt.reference);
      await expect.poll(arrived).toContain(reference);
      clock.advance(kycMs);
    },
    async executions({ reference }) {
      const { executions } = await readLedger();
      return executions.filter((execution) => execution.reference === reference);
    },
    async close() {
      await provider.close();
      await sandbox.close();
      await rm(dataFolder, { recursive: true });
    },
  };
}

describeCardProvider("the provider contract, against the sandbox", setup, traits);
