import type { AuditOutcome, ErrorCode, RawInput, Rule, Scope, Violation } from "@cardbridge/domain";
import type { z } from "zod";
import type { ActorKind, Call } from "./call.ts";
import type { AuditPorts, Ports } from "./ports.ts";

export interface Outcome<T> {
  data: T;
  /** The id of the call's subject, for the audit. */
  subject?: string;
  /** The platform whose audit records the call, if it is not the caller's. */
  platformId?: string;
  /** True if the result repeats an earlier one (gap G16). */
  replayed?: boolean;
}

/** The declaration of an operation, for transports, the OpenAPI document, clients and tests. */
export interface OperationSpec<I extends z.ZodType, O extends z.ZodType, P extends AuditPorts = Ports> {
  /** Noun and verb, such as `cards.list`: the path in tRPC and the operationId in OpenAPI. */
  id: string;
  kind: "query" | "mutation";
  summary: string;
  description: string;
  /** True for operations of the interface; false for extensions (gap G24). */
  documented: boolean;
  /** The kinds of callers that may run it. */
  actors: readonly ActorKind[];
  /** A key needs at least one of these. */
  scopes: readonly Scope[];
  /** Whether a call is for one platform's data and must name the platform. */
  platform: boolean;
  /** Whether it supports an Idempotency-Key (gap G20). */
  idempotent: boolean;
  /** Whether its input or output contains bytes. tRPC does not serve such operations. */
  binary: boolean;
  input: I;
  /** The rules between fields of the input. */
  rules: readonly Rule[];
  output: O;
  /**
   * An input and its output, for the document, the commands to paste and the tests. A query's example is about the
   * demo data or the example submission, so that a development service answers it.
   */
  example: { input: z.input<I>; output: z.output<O> };
  /** Its error codes, besides those that any call can have. */
  errors: readonly ErrorCode[];
  /** The outcomes to audit, besides those that `run` audits in its own transactions. */
  audit: readonly AuditOutcome[];
  /**
   * Violations that only ports can tell. It is called for an input that is refused anyway, so that one answer lists
   * every violation; `run` checks the same of a valid input.
   */
  furtherViolations?(ports: NoInfer<P>, call: Call, raw: RawInput): Promise<Violation[]>;
  run(ports: P, call: Call, input: z.output<I>): Promise<Outcome<z.output<O>>>;
}

export interface Operation<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  P extends AuditPorts = Ports,
> extends Omit<OperationSpec<I, O, P>, "run" | "furtherViolations"> {
  /**
   * Authorizes the call, parses the raw input, runs the operation, counts and audits the outcome. `violations` come
   * from the transport's parsing of the request.
   * @throws Failure SCOPE_MISSING, INVALID_INPUT with every violation, or one of `errors`.
   */
  execute(
    ports: P,
    call: Call,
    raw: unknown,
    violations?: readonly Violation[],
  ): Promise<Outcome<z.output<O>>>;
}
