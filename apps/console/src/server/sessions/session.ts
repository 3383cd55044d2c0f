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
  /** What the service allows the person, once it has been asked. */
  scopes: z.array(z.string()).optional(),
  createdAt: z.number(),
  seenAt: z.number(),
});
export type Session = z.output<typeof session>;

/** When the session ends without a further act. */
export function endOf({ createdAt, seenAt }: Session): number {
  return Math.min(seenAt + idleSeconds * 1_000, createdAt + totalSeconds * 1_000);
}

/** A sign-in between the redirect to the issuer and the return from it. */
export const signIn = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  fresh: z.boolean(),
  /** The hash of the id of the session that this sign-in replaces. */
  replaces: z.string().optional(),
});
export type SignIn = z.output<typeof signIn>;

/** The time for a sign-in, in seconds. */
export const signInSeconds = 600;
