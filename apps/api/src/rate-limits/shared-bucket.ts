import type { Rate, RateLease } from "@cardbridge/domain";
import { withTimeout } from "../process/with-timeout.ts";
import { createTokenBucket, type TokenBucket } from "./token-bucket.ts";

/** A platform's bucket in the database, of which this process holds some tokens. */
export interface SharedBucket {
  /** Takes a token if there is one. Waits only if the process has to ask the database. */
  take(): boolean | Promise<boolean>;
  /** Whether a call would get no token, as far as that is known without the database. */
  isEmpty(): boolean;
  /** The tokens that this process can count on, and the whole seconds until the bucket gains one. */
  state(): { left: number; secondsToNext: number };
}

interface Options {
  rate: Rate;
  /** Takes up to this many tokens from the database. */
  lease(wanted: number): Promise<RateLease>;
  /** The number of processes that lately took tokens of any platform, as far as this one knows. */
  processes(): number;
  /** Called when tokens cannot be leased, at most once a second. */
  onFailure(error: unknown): void;
  /** A monotonic clock in milliseconds. */
  now(): number;
}

/** How long a lease suffices at the present use, and how long its tokens are good. */
const leaseForMs = 5_000;
const tokensExpireMs = 10_000;
/** The processes together hold at most this part of the bucket, so that the rate holds within it. */
const heldPart = 0.1;
/** How long an empty bucket is not asked again: until its next token, within these bounds. */
const minPauseMs = 100;
const maxPauseMs = 1_000;
/** How long a call waits for the database, and how long a failed one is not asked again. */
const maxWaitMs = 2_000;
const retryMs = 1_000;

/**
 * Creates a process's view of a platform's bucket. It leases as many tokens as the last seconds' use suggests, or as
 * calls wait. While leasing fails, the process keeps to its share: the rate, divided by the processes (gap G22).
 */
export function createSharedBucket({ rate, lease, processes, onFailure, now }: Options): SharedBucket {
  const millisPerToken = (rate.seconds * 1_000) / rate.calls;
  let held = 0;
  let last = { at: now(), granted: 0, remaining: rate.calls };
  let emptyUntil = Number.NEGATIVE_INFINITY;
  /** This process's own share while leasing fails. */
  let own: TokenBucket | undefined;
  let retryAt = 0;
  let leasing: Promise<void> | undefined;
  let waiting = 0;

  /** Undefined if the database has to be asked. */
  function takeHeld(): boolean | undefined {
    const moment = now();
    if (own) {
      if (moment >= retryAt) leasing ??= leaseMore();
      return own.take();
    }
    if (moment - last.at > tokensExpireMs) held = 0;
    if (held === 0) return moment < emptyUntil ? false : undefined;
    held -= 1;
    return true;
  }

  async function takeLeased(): Promise<boolean> {
    waiting += 1;
    try {
      let taken: boolean | undefined;
      while (taken === undefined) {
        leasing ??= leaseMore();
        await leasing;
        taken = takeHeld();
      }
      return taken;
    } finally {
      waiting -= 1;
    }
  }

  /** Never throws. */
  async function leaseMore(): Promise<void> {
    try {
      const { granted, remaining } = await withTimeout(maxWaitMs, lease(wanted()));
      held = granted;
      last = { at: now(), granted, remaining };
      own = undefined;
      const toNextMs = (1 - (remaining % 1)) * millisPerToken;
      if (granted === 0) emptyUntil = last.at + Math.min(maxPauseMs, Math.max(minPauseMs, toNextMs));
    } catch (error) {
      own ??= createTokenBucket(shareOf(rate, processes()), now, last.remaining / processes());
      retryAt = now() + retryMs;
      onFailure(error);
    } finally {
      leasing = undefined;
    }
  }

  function wanted(): number {
    const used = (last.granted - held) / Math.max(1, now() - last.at);
    const most = (rate.calls * heldPart) / processes();
    return Math.max(1, waiting, Math.floor(Math.min(2 * last.granted, Math.ceil(used * leaseForMs), most)));
  }

  return {
    take: () => takeHeld() ?? takeLeased(),
    isEmpty: () => (own ? own.state().left === 0 && now() < retryAt : held === 0 && now() < emptyUntil),
    state() {
      if (own) return own.state();
      const gained = (now() - last.at) / millisPerToken;
      const toNext = (1 - ((last.remaining + gained) % 1)) * millisPerToken;
      return {
        left: held + Math.floor(last.remaining / processes()),
        secondsToNext: Math.max(1, Math.ceil(toNext / 1_000)),
      };
    },
  };
}

/** The same rate for one of several processes, of at least one call. */
function shareOf({ calls, seconds }: Rate, among: number): Rate {
  const share = Math.max(1, Math.floor(calls / among));
  return { calls: share, seconds: (seconds * share * among) / calls };
}
