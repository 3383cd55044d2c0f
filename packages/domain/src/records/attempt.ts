import * as z from "zod";
import { namedPerson } from "../identity/named-person.ts";
import { moment } from "../input/formats.ts";
import { kycRecordId } from "../kyc/record-id.ts";

const outcome = z
  .enum(["answered", "refused", "not-found", "unknown", "unsent"])
  .meta({ description: "The outcome at the provider." });

const reason = z
  .string()
  .nullable()
  .meta({ description: "Why the provider did not answer, such as `timeout`; null if it answered." });

const words = z.string().meta({ description: "The outcome in words, such as `the provider timed out`." });

/** The last stored attempt of a record. */
export const attemptSummary = z.object({
  outcome,
  reason,
  words,
  at: moment.meta({ description: "When the last of these attempts started." }),
  count: z.int().meta({ description: "The number of consecutive equal attempts." }),
});

/** One stored attempt, or several consecutive ones with the same step, outcome, reason and actor. */
export const storedAttempt = z
  .object({
    number: z.int().meta({ description: "The number of the first of these attempts." }),
    lastNumber: z.int(),
    step: z.enum(["send", "ask"]),
    startedAt: moment,
    lastStartedAt: moment,
    milliseconds: z.int().meta({ description: "The duration of the last one." }),
    outcome,
    reason,
    words,
    by: z.string().meta({ description: "`submission`, `worker`, or the actor of a manual attempt." }),
    count: z.int(),
  })
  .meta({ id: "StoredAttempt" });
export type StoredAttempt = z.output<typeof storedAttempt>;

export const recordAttempts = z
  .object({
    kycRecordId,
    attempts: z.array(storedAttempt).meta({
      description:
        "Oldest first: the first 5 and the last 45. An attempt that is missing in between was dropped, or its process " +
        "ended or its lease expired before it stored the outcome.",
    }),
    persons: z.array(namedPerson).meta({ description: "The persons whose ids are in the attempts." }),
  })
  .meta({ id: "RecordAttempts" });
