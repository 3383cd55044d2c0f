import * as z from "zod";

/** The scopes of platforms' keys. */
export const platformScope = z.enum([
  "cards:read",
  "kyc:write",
  "kyc:read",
  "files:write",
  "users:write",
  "webhooks:read",
  "webhooks:write",
]);

/** All scopes. Only keys of internal apps have `admin`, which administers platforms and keys. */
export const scope = z.enum([...platformScope.options, "admin"]);
export type Scope = z.output<typeof scope>;
