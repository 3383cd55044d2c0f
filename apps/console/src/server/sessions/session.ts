import * as z from "zod";

/** A session ends after this time without an act of the person, in seconds. */
export const idleSeconds = 15 * 60;
/** A session ends after this time at the latest, in seconds. */
export const totalSeconds = 8 * 3_600;

/** The issuer's tokens of a person. */
const tokens = z.object({
  access: z.string(),
  /** When the access token must have been replaced, in milliseconds. */
  expiresAt: z.number(),
  refresh: z.string().optional(),
  id: z.string(),
});
export type Tokens = z.output<typeof tokens>;

/** A signed-in person. Times are in milliseconds. */
export const session = z.object({
  subject: z.string(),
  /** The id of the person's session at the issuer. */
  issuerSession: z.string().optional(),
  name: z.string().nullable(),
  tokens,
  createdAt: z.number(),
  /** As `createdAt`. Processes of version 0.2 that run beside this one require it. */
  seenAt: z.number(),
});
export type Session = z.output<typeof session>;
