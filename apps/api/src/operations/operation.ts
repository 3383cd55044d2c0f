import {
  type Actor,
  type ErrorCode,
  Failure,
  internalPlatformId,
  parseInput,
  platformHeader,
  type Rule,
  type Scope,
  type Violation,
} from "@cardbridge/domain";
import type { z } from "zod";
import { type AccountPorts, accountFor, type Noted } from "./account-for.ts";
import type { Ports } from "./ports.ts";

/** Who calls, as a transport established it before the operation sees anything. */
export interface Call extends Actor {
  requestId: string;
  /** Whose data it is about; `internal` where a key of an internal app named no platform (gap G19). */
  platformId: string;
  scopes: ReadonlySet<Scope>;
  /** What the caller calls this change, so that it happens once (gap G20). */
  idempotencyKey?: string | undefined;
  /** Aborts when the caller went away; only work that may be abandoned listens to it. */
  signal?: AbortSignal | undefined;
}

export interface Outcome<T> {
  data: T;
  /** What the call was about, by our own id of it: for the audit. */
  subject?: string;
  /** Whose audit keeps it, where that is not the caller's platform. */
  platformId?: string;
  /** True when the answer repeats an earlier submission's result (gap G16). */
  replayed?: boolean;
}

/** What one operation is: everything that transports, document and client need to know of it. */
export interface OperationSpec<I extends z.ZodType, O extends z.ZodType, P extends AccountPorts = Ports> {
  /** Name in tRPC and operationId in OpenAPI, such as `cards.list`. */
  id: string;
  kind: "query" | "mutation";
  summary: string;
  description: string;
  /** False for what takes a file: JSON cannot carry it, so it is no procedure of tRPC. */
  procedure?: false;
  /** True for what the interface documents; false for an extension of ours (gap G24). */
  documented: boolean;
  /** True for what takes an Idempotency-Key (gap G20). */
  idempotent?: true;
  scope: Scope;
  input: I;
  /** What has to hold between the input's fields. */
  rules: readonly Rule[];
  output: O;
  /** What a caller may send, and what it then gets: for the document and the commands to paste. */
  example: { input: z.input<I>; output: z.output<O> };
  /** Codes that this operation fails with, beside those that any call can meet. */
  errors: readonly ErrorCode[];
  /** What the audit keeps of each call; null where calls are only counted. */
  noted: Noted | null;
  run(ports: P, call: Call, input: z.output<I>): Promise<Outcome<z.output<O>>>;
}

export interface Operation<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  P extends AccountPorts = Ports,
> extends Omit<OperationSpec<I, O, P>, "run"> {
  /**
   * Checks the scope and that there is a platform, parses the raw input, runs. `found` are violations that the
   * transport met while it read.
   * @throws Failure SCOPE_MISSING, INVALID_INPUT with every violation, or one of `errors`.
   */
  execute(ports: P, call: Call, raw: unknown, found?: readonly Violation[]): Promise<Outcome<z.output<O>>>;
}

/** Makes an operation of its declaration: the one place that checks a scope and parses an input. */
export function defineOperation<I extends z.ZodType, O extends z.ZodType, P extends AccountPorts = Ports>({
  run,
  ...spec
}: OperationSpec<I, O, P>): Operation<I, O, P> {
  return {
    ...spec,
    execute(ports, call, raw, found = []) {
      return accountFor(ports, call, spec, async () => {
        if (!call.scopes.has(spec.scope)) {
          const message = `This operation needs a key with the scope ${spec.scope}.`;
          throw new Failure("SCOPE_MISSING", { violations: [{ path: [], rule: "scope", message }] });
        }
        const parsed = parseInput(spec.input, spec.rules, raw);
        const violations = [
          ...unnamed(spec.scope, call),
          ...uselessKey(spec.idempotent, call),
          ...found,
          ...(parsed.ok ? [] : parsed.violations),
        ];
        if (!parsed.ok || violations.length > 0) throw new Failure("INVALID_INPUT", { violations });
        return run(ports, call, parsed.value);
      });
    },
  };
}

/** Only what the scope admin allows is about no platform's data. */
function unnamed(scope: Scope, { platformId }: Call): Violation[] {
  if (scope === "admin" || platformId !== internalPlatformId) return [];
  const message = "Name the platform that the call is for, by its id.";
  return [{ path: [platformHeader], rule: "platform-named", message }];
}

/** A caller who sends a key counts on it: taken in silence, it would promise what is not kept. */
function uselessKey(idempotent: true | undefined, { idempotencyKey }: Call): Violation[] {
  if (idempotent || idempotencyKey === undefined) return [];
  const message = "Leave the header Idempotency-Key out: this operation does not take one.";
  return [{ path: ["Idempotency-Key"], rule: "idempotency-key-not-taken", message }];
}
