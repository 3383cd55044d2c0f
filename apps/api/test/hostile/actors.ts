import { isOperatorScope, platformHeader } from "@cardbridge/domain";
import { demoKeys } from "../../src/admission/api-key.ts";
import type { Binding } from "./calls.ts";
import { keys, lacking, platformId } from "./keys.ts";
import { notFound, type Verdict } from "./verdict.ts";

/** A caller, and the error that it gets for every call. */
export interface Actor {
  name: string;
  /** The headers of its requests. */
  headers(binding: Binding): [name: string, value: string][];
  verdict(binding: Binding): Verdict;
}

const isAdmin = ({ operation }: Binding) => operation.reach !== undefined;
const bearer = (key: string): [string, string] => ["Authorization", `Bearer ${key}`];
const named = (id: string): [string, string] => [platformHeader, id];
const refused = { stage: "key", code: "UNAUTHENTICATED" } as const;
const scopeMissing = { stage: "scope", code: "SCOPE_MISSING" } as const;

const nobody = (name: string, ...headers: [string, string][]): Actor => ({
  name,
  headers: () => headers,
  verdict: () => refused,
});

const keyless = nobody("nobody");
const withoutScope: Actor = {
  name: "a key with every scope except the required one",
  headers: ({ operation }) => [bearer(lacking.get(operation.scopes[0] ?? "ops.audit")?.key ?? "")],
  // Where one of several scopes is enough, this key has another one.
  verdict: ({ operation: { scopes, reach } }) =>
    scopes.filter((name) => reach !== undefined || !isOperatorScope(name)).length > 1
      ? undefined
      : scopeMissing,
};
const otherPlatform: Actor = {
  name: "another platform's key",
  headers: () => [bearer(keys.other.key)],
  verdict(binding) {
    if (isAdmin(binding)) return scopeMissing;
    const code = notFound(binding);
    return code && { stage: "run", code };
  },
};
const withoutPlatform: Actor = {
  name: "an internal app that names no platform",
  headers: () => [bearer(keys.internal.key)],
  verdict: (binding) => (isAdmin(binding) ? undefined : { stage: "input", code: "INVALID_INPUT" }),
};

/** One caller for each check that rejects callers: the key, the scope, the input and the data. */
export const ofStages: readonly Actor[] = [keyless, withoutScope, withoutPlatform, otherPlatform];

/** Callers whose response depends on the operation. */
export const dependent: readonly Actor[] = [
  withoutScope,
  otherPlatform,
  withoutPlatform,
  {
    name: "a platform's key with every scope of platforms",
    headers: () => [bearer(keys.whole.key)],
    verdict: (binding) => (isAdmin(binding) ? scopeMissing : undefined),
  },
  {
    name: "an internal app that names the platform",
    headers: () => [bearer(keys.internal.key), named(platformId)],
    verdict: () => undefined,
  },
];

/** Every caller except the permitted one. */
export const actors: readonly Actor[] = [
  keyless,
  nobody("a garbled key", bearer("cb_live_garbled")),
  nobody("a key as a password", ["Authorization", `Basic ${btoa(`${demoKeys.first}:`)}`]),
  nobody("an unknown key", bearer(keys.unknown.key)),
  nobody("an expired key", bearer(keys.expired.key)),
  nobody("a revoked key", bearer(keys.revoked.key)),
  {
    name: "a platform's key that names another platform",
    headers: () => [bearer(keys.other.key), named(platformId)],
    verdict: () => ({ stage: "key", code: "PLATFORM_FORBIDDEN" }),
  },
  {
    name: "an internal app that names an unknown platform",
    headers: () => [bearer(keys.internal.key), named("plt_nowhere")],
    verdict: () => ({ stage: "key", code: "PLATFORM_NOT_FOUND" }),
  },
  ...dependent,
];

export const rightKey: Actor = {
  name: "the right key",
  headers: (binding) => [bearer(isAdmin(binding) ? keys.internal.key : demoKeys.first)],
  verdict: () => undefined,
};
