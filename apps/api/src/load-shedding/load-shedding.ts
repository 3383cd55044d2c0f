import { Failure, platformHeader } from "@cardbridge/domain";
import type { OperationPlaces } from "../fair-shares/share-operations.ts";
import type { RateLimiter } from "../rate-limits/rate-limiter.ts";
import { isReading } from "../server/methods.ts";
import { basePath, isTrpc, pathOf } from "../server/paths.ts";
import type { Shed } from "../server/shed.ts";
import type { Callers } from "./callers.ts";

interface Options {
  callers: Callers;
  /** The places of operations under way. */
  places: OperationPlaces;
  rateLimiter: Pick<RateLimiter, "isExceeded" | "state">;
  onShed(platformId: string, reason: ShedReason): void;
}

/** Whether the platform exceeds its rate, or uses its share of the operations under way. */
export const shedReasons = ["rate", "share"] as const;
export type ShedReason = (typeof shedReasons)[number];

/**
 * Creates the refusal of calls by their head, where authentication would lead to the same refusal (gap G22). It costs
 * less than half. Otherwise a flood of refusals leaves no time for anybody's calls.
 */
export function createLoadShedding({ callers, places, rateLimiter, onShed }: Options): Shed {
  return ({ url = "", method = "", headers: given }) => {
    if (!takesPlace(url, method)) return undefined;
    const named = given[platformHeader.toLowerCase()]?.toString();
    const platformId = callers.platformOf(given.authorization, named);
    if (platformId === undefined) return undefined;
    const kind = isReading(method) ? "query" : "mutation";
    const stateOfLimit = () => rateLimiter.state(platformId, kind);
    if (rateLimiter.isExceeded(platformId, kind)) {
      onShed(platformId, "rate");
      const { retryAfterSeconds = 1, headers = {} } = stateOfLimit() ?? {};
      return { failure: new Failure("RATE_LIMITED", { retryAfterSeconds }), headers };
    }
    const failure = places[kind].refusal(platformId);
    if (!failure) return undefined;
    onShed(platformId, "share");
    return { failure, headers: stateOfLimit()?.headers ?? {} };
  };
}

/** An upload has places of its own, where it may wait. */
function takesPlace(url: string, method: string): boolean {
  const path = pathOf(url);
  return (
    isTrpc(path) || (path.startsWith(`${basePath}/`) && (isReading(method) || path !== `${basePath}/files`))
  );
}
