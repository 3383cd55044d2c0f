import type { AuditOutcome, Code, ErrorCode, RawInput, Rule, Scope, Violation } from "@cardbridge/domain";
import type { z } from "zod";
import type { ActorKind, Call } from "./call.ts";
import type { Ports } from "./ports.ts";

export interface Outcome<T> {
  data: T;
  /** The id of the call's subject, for the audit. */
  subject?: string;
  /** The platform whose audit records the call, if it is not the caller's. */
  platformId?: string;
  /** True if the result repeats an earlier one (gap G16). */
  replayed?: boolean;
}

/** The group of a route in the OpenAPI document. */
export type RestTag = "Cards" | "KYC" | "Users" | "Files" | "Webhooks";

/** The REST route of an operation. */
export interface RestBinding {
  method: "get" | "post" | "patch" | "delete";
  /** The path below the interface's base path. `{name}` is a field of the input. */
  path: string;
  tag: RestTag;
  /** Whether a call creates what it returns. */
  created?: true;
  /** The code of a result that is accepted and not final, and the path that reads it: `{name}` is a field of the result. */
  accepted?: { code: Code; location: string };
}

export type Kind = "read" | "write";

/**
 * The declaration of an operation, for transports, the OpenAPI document, clients and tests. `K`, `B` and `R` keep the
 * exact kind, binary and rest: the types of the tRPC router and of the clients depend on them.
 */
export interface OperationSpec<
  I extends z.ZodType,
  O extends z.ZodType,
  K extends Kind = Kind,
  B extends boolean = boolean,
  R extends RestBinding | undefined = RestBinding | undefined,
> {
  /** Noun and verb, such as `cards.list`: the path in tRPC and the operationId in OpenAPI. */
  id: string;
  kind: K;
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
  binary: B;
  /** Its REST route. An operation without one is not in the OpenAPI document. */
  rest?: R;
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
  furtherViolations?(ports: Ports, call: Call, raw: RawInput): Promise<Violation[]>;
  run(ports: Ports, call: Call, input: z.output<I>): Promise<Outcome<z.output<O>>>;
}

export interface Operation<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  K extends Kind = Kind,
  B extends boolean = boolean,
  R extends RestBinding | undefined = RestBinding | undefined,
> extends Omit<OperationSpec<I, O, K, B, R>, "run" | "furtherViolations"> {
  /**
   * Authorizes the call, parses the raw input, runs the operation, counts and audits the outcome. `violations` come
   * from the transport's parsing of the request.
   * @throws Failure SCOPE_MISSING, INVALID_INPUT with every violation, or one of `errors`.
   */
  execute(
    ports: Ports,
    call: Call,
    raw: unknown,
    violations?: readonly Violation[],
  ): Promise<Outcome<z.output<O>>>;
}
