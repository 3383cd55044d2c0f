import * as z from "zod";
import { fetchedFileSchema } from "../files/fetched-file.ts";
import { timelineStepSchema } from "../scenarios/timeline.ts";
import { cardSchema, submissionSchema } from "../wire.ts";

const executionSchema = z.object({
  scenario: z.string(),
  timeline: z.array(timelineStepSchema).min(1),
  request: submissionSchema,
});

/** One PUT of a reference with its effect. Both are in one line, so neither exists without the other. */
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
  refusal: z.object({ request: submissionSchema, message: z.string().optional() }).optional(),
  files: z.array(fetchedFileSchema).optional(),
});

/** A changed status of a card, with the id of its event. `at` is in milliseconds since 1970. */
const cardChangeSchema = z.object({
  eventId: z.string(),
  at: z.int(),
  cardId: z.string(),
  userReference: z.string(),
  status: z.string(),
});

/** One line of the journal. */
export const entrySchema = z.discriminatedUnion("kind", [
  attemptSchema,
  z.object({
    kind: z.literal("cards"),
    cards: z.array(cardSchema),
    changes: z.array(cardChangeSchema).optional(),
  }),
  /** An event that the receiver accepted. `at` is in milliseconds since 1970. */
  z.object({ kind: z.literal("delivered"), eventId: z.string(), at: z.int() }),
]);

export type CardChange = z.infer<typeof cardChangeSchema>;
export type Entry = z.infer<typeof entrySchema>;
export type Attempt = z.infer<typeof attemptSchema>;
export type Outcome = Attempt["outcome"];
