import { type CurrentPauses, Failure, type Slot } from "@cardbridge/domain";
import { holderOf, type Operations } from "@cardbridge/service";
import { basePath, documentPath, filesPath, isTrpc, isUploadsPath, mcpPath } from "../config/paths.ts";
import type { Authenticate, Caller } from "./authenticate.ts";
import { createFairQueue } from "./fair-queue.ts";
import { type Head, isReading } from "./head.ts";
import { refusePaused } from "./pauses.ts";
import { type Allowance, procedureOf, type RateLimiter, rateClassOf, urgentIn } from "./rate.ts";
import type { Refusals } from "./refusals.ts";
import { type RequestSlots, type Slots, takeSlot } from "./slots.ts";

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

/** Passes a request through the gates. Returns undefined if the request needs no key. Never rejects. */
export type Gates = (head: Head) => Promise<Admission | undefined>;

interface Options {
  /** The operations, of which some are urgent. */
  operations: Operations;
  authenticate: Authenticate;
  rateLimiter: RateLimiter;
  slots: RequestSlots & Pick<Slots, "look-ups">;
  refusals: Pick<Refusals, "byHead">;
  pauses: Pick<CurrentPauses, "platform">;
}

/**
 * Creates the three gates of a request, in this order: authenticate, rate, slot. They use only
 * the request's head and run before any other work, so that a flood of rejected requests costs little.
 */
export function createGates(options: Options): Gates {
  const { authenticate, rateLimiter, slots, refusals, pauses } = options;
  const isUrgent = urgentIn(options.operations);
  const queue = createFairQueue();
  return async (head) => {
    if (!needsKey(head)) return undefined;
    try {
      return await admit(head, await identify(head));
    } catch (error) {
      // The route gets the failure, because an unknown route is 404 even without a valid key.
      return { failure: error instanceof Failure ? error : new Failure("INTERNAL_ERROR", { cause: error }) };
    }
  };

  /** A key look-up takes a slot for the caller's address, so that a flood of unknown keys blocks no other callers. */
  function identify(head: Head): Promise<Caller> {
    return slots["look-ups"].run(head.address ?? "", () => authenticate(head));
  }

  async function admit(head: Head, caller: Caller): Promise<Admission> {
    const holder = holderOf(caller, isUrgent(procedureOf(head.target)));
    const wait = queue.enter(holder);
    const late = wait && (await wait);
    if (late) {
      refusals.byHead(caller, "slots");
      return { caller, byHead: true, failure: late };
    }
    const paused = refusePaused(pauses, caller);
    if (paused) {
      refusals.byHead(caller, "paused");
      return { caller, byHead: true, failure: paused };
    }
    const allowance = await rateLimiter.count(holder, rateClassOf(head.method, head.target));
    const admission = { caller, allowance };
    if (allowance?.allowed === false) {
      refusals.byHead(caller, "rate");
      const { retryAfterSeconds } = allowance;
      return { ...admission, byHead: true, failure: new Failure("RATE_LIMITED", { retryAfterSeconds }) };
    }
    try {
      const slot = await takeSlot(slots, head, holder);
      return isReading(head.method) ? { ...admission, operation: slot } : { ...admission, body: slot };
    } catch (failure) {
      refusals.byHead(caller, "slots");
      return { ...admission, byHead: true, failure: failure as Failure };
    }
  }
}

/** Signed reads of files, preflights of uploads, the provider's events, pages and health checks need no key. */
function needsKey({ method, path, target }: Head): boolean {
  if (isUploadsPath(path) && method === "OPTIONS") return false;
  if (path.startsWith(`${filesPath}/`)) return !(isReading(method) && /[?&]signature=/.test(target));
  return path === mcpPath || isTrpc(path) || (path.startsWith(`${basePath}/`) && path !== documentPath);
}
