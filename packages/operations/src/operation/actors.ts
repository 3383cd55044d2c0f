/** Shared parts of operation declarations. */

/** Operations on one platform's data, for keys with a scope. An internal app names the platform. */
export const forPlatforms = {
  actors: ["platform", "internal"],
  platform: true,
  idempotent: false,
  binary: false,
} as const;

/** Operations for operators at the command line, and over tRPC for internal apps with the scope admin. */
export const forOperators = {
  documented: false,
  actors: ["internal", "operator"],
  scopes: ["admin"],
  platform: false,
  idempotent: false,
  binary: false,
} as const;

/**
 * Operations for operators at the command line only: they use the machine's folders, or rights that no key gives. They
 * are declared as binary because tRPC, whose callers all have keys, does not serve such operations.
 */
export const forCommandLine = { ...forOperators, actors: ["operator"], scopes: [], binary: true } as const;
