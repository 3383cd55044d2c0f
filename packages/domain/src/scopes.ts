import { z } from "zod";

/** What an API key may do (gap G19). */
export const scope = z.enum(["cards:read", "kyc:write", "kyc:read", "files:write"]);
export type Scope = z.output<typeof scope>;
