/** Shared parts of operation declarations. */
import type { OperatorScope } from "@cardbridge/domain";

/** Operations on one platform's data, for keys with a scope. An internal app names the platform. */
export const forPlatforms = {
  actors: ["platform", "internal"],
  platform: true,
  idempotent: false,
  binary: false,
} as const;

const byOperators = { documented: false, platform: false, idempotent: false } as const;

/**
 * Operations for operators at the command line, and over tRPC for internal apps whose key, and whose person if the call
 * has one, has one of the scopes. Their inputs name the platform, the record or the key that they are about.
 */
export const forOperators = (...scopes: OperatorScope[]) =>
  ({ ...byOperators, actors: ["internal", "operator"], scopes, reach: "platform", binary: false }) as const;

/**
 * Operations for operators at the command line only: they use the machine's folders, or rights that no key gives. They
 * are declared as binary because tRPC, whose callers all have keys, does not serve such operations.
 */
export const forCommandLine = { ...byOperators, actors: ["operator"], scopes: [], binary: true } as const;

/** Operations for persons alone: neither the command line nor a key without a person may run them. */
export const forPersons = (...scopes: OperatorScope[]) =>
  ({ ...byOperators, actors: ["internal"], scopes, reach: "platform", binary: false }) as const;
