import { z } from "zod";
import { stepSchema } from "./timeline.ts";
import { cardSchema, submissionSchema } from "./wire.ts";

const executionSchema = z.object({
  scenario: z.string(),
  timeline: z.array(stepSchema).min(1),
  request: submissionSchema,
});

/** One PUT of a reference, with what it left behind: one line, so that neither exists without the other. */
const attemptSchema = z.object({
  kind: z.literal("attempt"),
  reference: z.string(),
  /** Milliseconds since 1970. */
  at: z.int(),
  outcome: z.enum([
    "executed",
    "repeated",
    "conflict",
    "refused",
    "error-500",
    "garbage",
    "timeout-after-effect",
    "timeout-before-effect",
  ]),
  execution: executionSchema.optional(),
  refusal: z.object({ request: submissionSchema }).optional(),
});

/** A line of the journal. */
export const entrySchema = z.discriminatedUnion("kind", [
  attemptSchema,
  z.object({ kind: z.literal("cards"), cards: z.array(cardSchema) }),
  /** An event that was taken; `at` in milliseconds since 1970. */
  z.object({ kind: z.literal("delivered"), eventId: z.string(), at: z.int() }),
]);

export type Entry = z.infer<typeof entrySchema>;
export type Attempt = z.infer<typeof attemptSchema>;
export type Outcome = Attempt["outcome"];
