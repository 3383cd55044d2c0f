import * as z from "zod";
import { fetchedFileSchema } from "../files/fetched-file.ts";
import { askedSchema } from "../scenarios/asked.ts";
import { timelineStepSchema } from "../scenarios/timeline.ts";
import { actSchema, answerSchema, cardSchema, submissionSchema } from "../wire.ts";

const timelineSchema = z.array(timelineStepSchema).min(1);

const executionSchema = z.object({
  scenario: z.string(),
  timeline: timelineSchema,
  asked: askedSchema.optional(),
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

/** An answer to a document request with its effect. */
const answerEntrySchema = z.object({
  kind: z.literal("answer"),
  reference: z.string(),
  requestId: z.string(),
  answerReference: z.string(),
  /** Milliseconds since 1970. */
  at: z.int(),
  outcome: z.enum(["accepted", "refused", "timeout-after-effect", "timeout-before-effect"]),
  documents: answerSchema.shape.documents,
  /** The submission's timeline after it. Absent: unchanged. */
  timeline: timelineSchema.optional(),
});

/** An act with its effects. */
const actEntrySchema = z.object({
  kind: z.literal("act"),
  /** Milliseconds since 1970. */
  at: z.int(),
  act: actSchema,
  /** The submission's timeline after it. Absent: unchanged. */
  timeline: timelineSchema.optional(),
  asked: askedSchema.optional(),
  /** The issued or changed card. */
  card: cardSchema.optional(),
  change: cardChangeSchema.optional(),
});

/** One line of the journal. */
export const entrySchema = z.discriminatedUnion("kind", [
  attemptSchema,
  answerEntrySchema,
  actEntrySchema,
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
export type Answer = z.infer<typeof answerEntrySchema>;
export type ActEntry = z.infer<typeof actEntrySchema>;
export type Attempt = z.infer<typeof attemptSchema>;
export type Outcome = Attempt["outcome"];
