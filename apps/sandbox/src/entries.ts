import * as z from "zod";
import { fileTypes } from "./file-type.ts";
import { stepSchema } from "./timeline.ts";
import { cardSchema, submissionSchema } from "./wire.ts";

const executionSchema = z.object({
  scenario: z.string(),
  timeline: z.array(stepSchema).min(1),
  request: submissionSchema,
});

/** A file that was fetched, and what was wrong with it. Its URL is in the request. */
const fetchedFileSchema = z.object({
  /** Where it stands in the request, such as `document.frontImageUrl`. */
  field: z.string(),
  /** Absent when nothing was answered. */
  status: z.int().optional(),
  /** Of its bytes, when it was read whole. */
  size: z.int().optional(),
  sha256: z.string().optional(),
  /** By its first bytes. */
  contentType: z.enum(fileTypes).optional(),
  fault: z.string().optional(),
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
  refusal: z.object({ request: submissionSchema, message: z.string().optional() }).optional(),
  files: z.array(fetchedFileSchema).optional(),
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
export type FetchedFile = z.infer<typeof fetchedFileSchema>;
export type Outcome = Attempt["outcome"];
