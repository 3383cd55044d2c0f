import { type CurrentPauses, Failure, type Slot } from "@cardbridge/domain";
import { holderOf } from "@cardbridge/service";
import { basePath, documentPath, filesPath, isTrpc, isUploadsPath, mcpPath } from "../paths.ts";
import { andFinally, andThen, attempt, type MaybePromise } from "./and-then.ts";
import type { Authenticate, Caller } from "./authenticate.ts";
import { type Head, isReading } from "./head.ts";
import { isUrgent, procedureOf, rateClassOf } from "./rate-class.ts";
import type { Allowance, RateLimiter } from "./rate-limiter.ts";
import type { Refusals } from "./refusals.ts";
import { refusePaused } from "./refuse-paused.ts";
import type { Slots } from "./slots.ts";

/** The result of the gates for a request. */
export interface Admission {
  caller?: Caller;
  /** The state of the caller's rate, if it has one. Every response reports it. */
  allowance?: Allowance | undefined;
  /** The failure of a request that is not admitted. */
  failure?: Failure;
  /** Whether the head alone leads to a rejection: the platform is paused, or the caller exceeds a limit. */
  byHead?: boolean;
  /** The slot of an operation without a body. */
  operation?: Slot;
  /** The slot of the request's body. JSON holds it until the body is read, an upload until the response ends. */
  body?: Slot;
}

/** Passes a request through the gates. Returns undefined if the request needs no key. Never throws or rejects. */
export type Gates = (head: Head) => MaybePromise<Admission | undefined>;

interface Options {
  authenticate: Authenticate;
  rateLimiter: RateLimiter;
  slots: Pick<Slots, "operations" | "bodies" | "uploads" | "look-ups">;
  refusals: Pick<Refusals, "byHead">;
  pauses: Pick<CurrentPauses, "platform">;
}

/**
 * Creates the three gates of a request, in this order: authenticate, rate, slot. They use only
 * the request's head and run before any other work, so that a flood of rejected requests costs little.
 */
export function createGates({ authenticate, rateLimiter, slots, refusals, pauses }: Options): Gates {
  return (head) => {
    if (!needsKey(head)) return undefined;
    return attempt(
      () => andThen(identify(head), (caller) => admit(head, caller)),
      (admission) => admission,
      notAuthenticated,
    );
  };

  /** A key look-up takes a slot for the caller's address, so that a flood of unknown keys blocks no other callers. */
  function identify(head: Head): MaybePromise<Caller> {
    return andThen(slots["look-ups"].take(head.address ?? ""), (slot) =>
      andFinally(() => authenticate(head), slot.release),
    );
  }

  function admit(head: Head, caller: Caller): MaybePromise<Admission> {
    const paused = refusePaused(pauses, caller);
    if (paused) {
      refusals.byHead(caller, "paused");
      return { caller, byHead: true, failure: paused };
    }
    const holder = holderOf(caller, isUrgent(procedureOf(head.target)));
    return andThen(rateLimiter.count(holder, rateClassOf(head.method, head.target)), (allowance) => {
      if (allowance?.allowed !== false) return takeSlot(head, holder, { caller, allowance });
      refusals.byHead(caller, "rate");
      const { retryAfterSeconds } = allowance;
      return {
        caller,
        allowance,
        byHead: true,
        failure: new Failure("RATE_LIMITED", { retryAfterSeconds }),
      };
    });
  }

  function takeSlot(
    head: Head,
    holder: string,
    admission: Admission & { caller: Caller },
  ): MaybePromise<Admission> {
    const { caller } = admission;
    const admitted = (slot: Slot): Admission =>
      isReading(head.method) ? { ...admission, operation: slot } : { ...admission, body: slot };
    const refused = (failure: unknown): Admission => {
      refusals.byHead(caller, "slots");
      return { ...admission, byHead: true, failure: failure as Failure };
    };
    return attempt(() => slotOf(head, holder), admitted, refused);
  }

  /** An operation with a body takes its slot after the body is read. The body is not read if no slot is available. */
  function slotOf(head: Head, holder: string): MaybePromise<Slot> {
    if (isReading(head.method)) return slots.operations.take(holder);
    if (isUpload(head)) return slots.uploads.take(holder);
    const failure = slots.operations.refusal(holder);
    if (failure) throw failure;
    return slots.bodies.take(holder);
  }
}

/** Signed reads of files, preflights of uploads, the provider's events, pages and health checks need no key. */
function needsKey({ method, path, target }: Head): boolean {
  if (isUploadsPath(path) && method === "OPTIONS") return false;
  if (path.startsWith(`${filesPath}/`)) return !(isReading(method) && /[?&]signature=/.test(target));
  return path === mcpPath || isTrpc(path) || (path.startsWith(`${basePath}/`) && path !== documentPath);
}

function isUpload({ method, path }: Head): boolean {
  if (isReading(method)) return false;
  return path === `${basePath}${filesPath}` || isUploadsPath(path);
}

/** Keeps the failure for the route, because an unknown route is 404 even without a valid key. */
function notAuthenticated(error: unknown): Admission {
  return { failure: error instanceof Failure ? error : new Failure("INTERNAL_ERROR", { cause: error }) };
}
