import * as z from "zod";
import { type InitialStatus, initialStatuses } from "../records/cardholder.ts";

/** The settings that tests can change at runtime. */
export const settingsSchema = z.strictObject({
  /** The status of a new cardholder. A tag in its e-mail, such as `+pending`, takes precedence. */
  initialStatus: z.enum(initialStatuses).default("READY"),
  /** The status of a READY cardholder after an update. */
  updatedStatus: z.enum(initialStatuses).default("READY"),
  /** How long a token is valid, in seconds. */
  tokenSeconds: z.number().positive().default(1_800),
  /** The limit of logins in any 60 seconds. Further logins get 429. */
  loginsPerMinute: z.int().positive().default(100),
  /** How long after its creation a cardholder appears in lists, in milliseconds. */
  listLagMs: z.number().min(0).default(0),
});

export type Settings = z.infer<typeof settingsSchema>;

export function defaultSettings(): Settings {
  return settingsSchema.parse({});
}

/** Whether a tag asks for a proof of address at once: `jane+pending+rfi@example.com`. */
export const asksAtOnce = (email: string) => email.toLowerCase().includes("+rfi");

/** The status that a tag in an e-mail selects: `jane+pending@example.com`. */
export function statusOfTag(email: string): InitialStatus | undefined {
  return initialStatuses.find((status) => email.toLowerCase().includes(`+${status.toLowerCase()}`));
}
