import type { AuditOutcome, ErrorCode, Rule, Scope, Violation } from "@cardbridge/domain";
import type { z } from "zod";
import type { ActorKind, Call } from "./call.ts";
import type { AuditPorts, Ports } from "./ports.ts";

export interface Outcome<T> {
  data: T;
  /** Our own id of what the call was about, for the audit. */
  subject?: string;
  /** The platform whose audit records the call, where that is not the caller's. */
  platformId?: string;
  /** True when the result repeats that of an earlier call (gap G16). */
  replayed?: boolean;
}

/** All that transports, the OpenAPI document, clients and tests need to know of an operation. */
export interface OperationSpec<I extends z.ZodType, O extends z.ZodType, P extends AuditPorts = Ports> {
  /** Its noun and verb, such as `cards.list`: the path in tRPC and the operationId in OpenAPI. */
  id: string;
  kind: "query" | "mutation";
  summary: string;
  description: string;
  /** True for what the interface documents; false for an extension of ours (gap G24). */
  documented: boolean;
  /** Who may run it. */
  actors: readonly ActorKind[];
  /** A key needs one of these. */
  scopes: readonly Scope[];
  /** Whether a call is about one platform's data and has to name it. */
  platform: boolean;
  /** Whether it takes an Idempotency-Key (gap G20). */
  idempotent: boolean;
  /** Whether its input or output holds bytes: JSON cannot carry them, so tRPC does not serve it. */
  binary: boolean;
  input: I;
  /** The rules between the input's fields. */
  rules: readonly Rule[];
  output: O;
  /**
   * An input and its output, for the document, the commands to paste and the tests. A query's example is about the
   * demo data or the example submission, so that a development service answers it.
   */
  example: { input: z.input<I>; output: z.output<O> };
  /** Codes that it fails with, beside those that any call can meet. */
  errors: readonly ErrorCode[];
  /** The outcomes that the audit keeps, beside those that `run` audits in its own transactions. */
  audit: readonly AuditOutcome[];
  run(ports: P, call: Call, input: z.output<I>): Promise<Outcome<z.output<O>>>;
}

export interface Operation<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  P extends AuditPorts = Ports,
> extends Omit<OperationSpec<I, O, P>, "run"> {
  /**
   * Authorizes the call, parses the raw input, runs, counts and audits. `violations` are those that the transport
   * found while it read the request.
   * @throws Failure SCOPE_MISSING, INVALID_INPUT with every violation, or one of `errors`.
   */
  execute(
    ports: P,
    call: Call,
    raw: unknown,
    violations?: readonly Violation[],
  ): Promise<Outcome<z.output<O>>>;
}
