import * as z from "zod";

/** A question with which a test opens an RFI or follows up. With an `id`, it asks an answered question again. */
const askedSchema = z.strictObject({
  id: z.string().optional(),
  key: z.string().optional(),
  type: z.string().default("ATTACHMENT"),
  sources: z.array(z.strictObject({ id: z.string(), type: z.string().default("CARDHOLDER") })).default([]),
});

export const roundSchema = z.strictObject({
  type: z.string().default("CARDHOLDER"),
  /** `2026-05-12T00:00:00+0000`. Default: without a limit. */
  expires_at: z.string().optional(),
  questions: z.array(askedSchema).min(1),
});
export type AskedRound = z.infer<typeof roundSchema>;

/** A question. Before the response, its answer has the type only. */
interface Question extends Omit<z.infer<typeof askedSchema>, "id" | "type"> {
  id: string;
  answer: { type: string };
}

/** A request for information, as the API returns it: the questions of one time, and those of earlier times. */
export interface Rfi {
  id: string;
  account_id: string;
  type: string;
  status: "ACTION_REQUIRED" | "ANSWERED" | "CLOSED";
  active_request: {
    created_at: string;
    updated_at: string;
    expires_at?: string | undefined;
    questions: Question[];
  };
  answered_requests: Rfi["active_request"][];
  created_at: string;
  updated_at: string;
}
