import * as z from "zod";
import { type InitialStatus, initialStatuses } from "../records/cardholder.ts";

/** What tests may change while the fake runs. */
export const settingsSchema = z.strictObject({
  /** The status of a new cardholder. A tag in its e-mail, such as `+pending`, goes before it. */
  initialStatus: z.enum(initialStatuses).default("READY"),
  /** How long a token is valid, in seconds. */
  tokenSeconds: z.number().positive().default(1_800),
  /** Logins in any 60 seconds. Further ones get 429. */
  loginsPerMinute: z.int().positive().default(100),
  /** How long after its creation a cardholder appears in lists, in milliseconds. */
  listLagMs: z.number().min(0).default(0),
});

export type Settings = z.infer<typeof settingsSchema>;

export function defaultSettings(): Settings {
  return settingsSchema.parse({});
}

/** The status that an e-mail asks for: `jane+pending@example.com`. */
export function statusOfTag(email: string): InitialStatus | undefined {
  return initialStatuses.find((status) => email.toLowerCase().includes(`+${status.toLowerCase()}`));
}
