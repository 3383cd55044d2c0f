import { Failure, internalPlatformId, type Person, type Scope } from "@cardbridge/domain";
import type { ActorKind, Call } from "../../src/operation/call.ts";

interface Options {
  platformId?: string;
  scopes?: readonly Scope[];
  idempotencyKey?: string | undefined;
}

export function callOf(
  kind: ActorKind,
  { platformId = internalPlatformId, scopes = [], idempotencyKey }: Options = {},
): Call {
  return {
    kind,
    platformId,
    scopes: new Set(scopes),
    idempotencyKey,
    actor: "actor",
    requestId: "req_1",
    address: null,
  };
}

export const operatorCall: Call = { ...callOf("operator"), actor: "claim:ada" };

/** A person who signed in just now. */
export const aPerson = (changes: Partial<Person> = {}): Person => ({
  personId: "per_ada",
  roles: [],
  platforms: "all",
  authenticatedAt: new Date(),
  expiresAt: new Date(Date.now() + 60_000),
  ...changes,
});

/** A person's call through `key_1`, an app's key with these scopes. */
export const personCall = (scopes: readonly Scope[], changes: Partial<Person> = {}): Call => ({
  ...callOf("internal", { scopes }),
  actor: "key_1",
  person: aPerson(changes),
});

/** The code of a call's failure; "done" without one. */
export const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof Failure ? error.code : error),
  );

/** The rules that a call violates; none if it is done. */
export const rulesOf = (call: Promise<unknown>): Promise<string[]> =>
  call.then(
    () => [],
    ({ details }: Failure) => (details.violations ?? []).map(({ rule }) => rule),
  );
