import type { AuditOutcome, Code, ErrorCode, RawInput, Rule, Scope, Violation } from "@cardbridge/domain";
import type { z } from "zod";
import type { ActorKind, Call, OperationCall } from "./call.ts";
import type { Ports } from "./ports.ts";
import type { Reach } from "./reach.ts";

export interface Outcome<T> {
  data: T;
  /** The id of the call's subject, for the audit. */
  subject?: string;
  /** The platform whose audit records the call, if it is not that of the data. */
  platformId?: string;
  /** True if the result repeats an earlier one (gap G16). */
  replayed?: boolean;
}

/** The group of a route in the OpenAPI document. */
export type RestTag = "Cards" | "KYC" | "Users" | "Files" | "Webhooks" | "Sandbox";

/** The REST route of an operation. */
export interface RestBinding {
  method: "get" | "post" | "patch" | "delete";
  /** The path below the interface's base path. `{name}` is a field of the input. */
  path: string;
  tag: RestTag;
  /** Whether a call creates the returned resource. */
  created?: true;
  /** The code of an accepted result that is not final, and the path to read it. `{name}` is a field of the result. */
  accepted?: { code: Code; location: string };
}

export type Kind = "read" | "write";

/**
 * The declaration of an operation, for transports, the OpenAPI document, clients and tests. `K`, `B`, `R` and `P` keep
 * the exact kind, binary, rest and platform: the types of the tRPC router and of the clients depend on them.
 */
export interface OperationSpec<
  I extends z.ZodType,
  O extends z.ZodType,
  K extends Kind = Kind,
  B extends boolean = boolean,
  R extends RestBinding | undefined = RestBinding | undefined,
  P extends boolean = boolean,
> {
  /** Noun and verb, such as `cards.list`: the path in tRPC and the operationId in OpenAPI. */
  id: string;
  kind: K;
  summary: string;
  description: string;
  /** True for operations of the interface; false for extensions (gap G24). */
  documented: boolean;
  /** The kinds of callers that may run the operation. */
  actors: readonly ActorKind[];
  /** A key needs at least one of these scopes. */
  scopes: readonly Scope[];
  /** Whether a call is for one platform's data and must name the platform. */
  platform: P;
  /** The data of an operation for operators, by which a person's platforms limit it. */
  reach?: Reach;
  /** Whether a person must have signed in within 15 minutes: for each call, or for these inputs, before they are parsed. */
  recentSignIn?: true | ((input: RawInput) => boolean);
  /** True if the operation limits damage: its calls have a rate and slots of their own. */
  urgent?: true;
  /** Whether the operation supports an Idempotency-Key (gap G20). */
  idempotent: boolean;
  /** Whether the input or output contains bytes. tRPC does not serve such operations. */
  binary: B;
  /** The REST route. An operation without a route is not in the OpenAPI document. */
  rest?: R;
  input: I;
  /** The rules between fields of the input. */
  rules: readonly Rule[];
  output: O;
  /**
   * An input and its output, for the document, the example commands and the tests. The example of a read uses the demo
   * data or the example submission, so that it works on a development service.
   */
  example: { input: z.input<I>; output: z.output<O> };
  /** The error codes of this operation, in addition to those of every call. */
  errors: readonly ErrorCode[];
  /** The outcomes to audit, except those that `run` audits in its own transactions. */
  audit: readonly AuditOutcome[];
  /** True if platforms poll the operation: their successful calls are audited once a day, with a count (gap G39). */
  polled?: true;
  /** True if apps show the result again and again: a caller's successful calls are audited once an hour (a subject). */
  oncePerHour?: true;
  /**
   * Violations that only ports can detect. Called for an invalid input, so that one response lists every violation;
   * `run` makes the same checks for a valid input.
   */
  furtherViolations?(ports: Ports, call: OperationCall, raw: RawInput): Promise<Violation[]>;
  run(ports: Ports, call: OperationCall, input: z.output<I>): Promise<Outcome<z.output<O>>>;
}

export interface Operation<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  K extends Kind = Kind,
  B extends boolean = boolean,
  R extends RestBinding | undefined = RestBinding | undefined,
  P extends boolean = boolean,
> extends Omit<OperationSpec<I, O, K, B, R, P>, "run" | "furtherViolations"> {
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
