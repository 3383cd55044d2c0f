import { expect } from "vitest";
import { until } from "../../support/until.ts";
import { sendEvent } from "../events.ts";
import type { Episode } from "../play.ts";
import type { Stage } from "../stage.ts";

const historyOf = async (stage: Stage) =>
  (await stage.rows<{ status: string | null }>("select status from kyc_history order by id")).map(
    ({ status }) => status,
  );

/** Rows 27 and 28: decisions that come late, twice, in the wrong order, or against the first. */
export const decisions: Episode[] = [
  {
    row: 27,
    title: "a late and a contradicting status",
    // The provider of this tale decides by events that its ledger knows nothing of.
    allowed: { unsettled: true },
    async run(stage) {
      const service = await stage.service();
      await stage.submit(service, stage.submission());
      const [{ reference = "", userReference = "" } = {}] = (await stage.ledger()).executions;
      const tell = (status: string, revision: number) =>
        sendEvent(service.url, { reference, userReference, status, revision });

      expect(await tell("pending_approval", 5)).toBe(204);
      expect(await historyOf(stage)).toEqual([null, "APPROVED"]);
      expect(await tell("rejected", 6)).toBe(204);
      expect(await tell("approved", 4)).toBe(204);
      expect(await historyOf(stage)).toEqual([null, "APPROVED", "REJECTED"]);
      await until(() => service.output().includes("kyc_final_reversed"));
    },
  },
  {
    row: 28,
    title: "an event twice, reordered, before the result is stored",
    async run(stage) {
      const service = await stage.service();
      const submission = stage.submission();
      const afterwards = async () => {
        const [{ reference = "", userReference = "" } = {}] = (await stage.ledger()).executions;
        const event = { reference, userReference, status: "approved", revision: 1 };
        const early = { ...event, status: "pending_approval", revision: 0 };
        for (const one of [event, early, event]) expect(await sendEvent(service.url, one)).toBe(204);
      };
      service.provider.plan(submission.email, { put: [{ effect: true, afterwards, answer: "pass" }] });
      expect(await stage.submit(service, submission)).toMatchObject({
        status: 200,
        body: { status: "APPROVED" },
      });
      // What the event did not know, the account, the answer of the same decision does not add.
      expect(await historyOf(stage)).toEqual([null, "APPROVED"]);
    },
  },
];
