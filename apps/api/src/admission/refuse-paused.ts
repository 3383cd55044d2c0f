import { type CurrentPauses, type Failure, platformPaused } from "@cardbridge/domain";
import type { Caller } from "./authenticate.ts";

/**
 * The failure of a call with a paused platform's key or upload URL. Internal apps are the operator's own: their calls
 * continue, whichever platform they name.
 */
export function refusePaused(
  pauses: Pick<CurrentPauses, "platform">,
  { kind, platformId }: Pick<Caller, "kind" | "platformId">,
): Failure | undefined {
  const pause = kind === "platform" ? pauses.platform(platformId) : null;
  return pause?.share === 0 ? platformPaused(pause) : undefined;
}
