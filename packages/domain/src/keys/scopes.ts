import * as z from "zod";

/** What a key of a platform may do with the platform's data (gap G19). */
export const platformScope = z.enum(["cards:read", "kyc:write", "kyc:read", "files:write"]);

/** What an API key may do. `admin` looks after platforms and keys: only keys of internal apps have it. */
export const scope = z.enum([...platformScope.options, "admin"]);
export type Scope = z.output<typeof scope>;
