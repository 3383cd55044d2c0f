import type { Observer } from "@cardbridge/domain";
import type { Log } from "../observability/log.ts";
import type { ShedReason } from "./load-shedding.ts";

/** Counts the refusals by head in the metrics, and those of each platform in one line of the log a second. */
export function countShed(observer: Observer, log: Pick<Log, "shed">) {
  const counts = new Map<string, { platformId: string; reason: ShedReason; refused: number }>();
  function report(): void {
    for (const { platformId, reason, refused } of counts.values()) log.shed(platformId, reason, refused);
    counts.clear();
  }
  return (platformId: string, reason: ShedReason) => {
    observer.observe("request_shed", { reason });
    if (counts.size === 0) setTimeout(report, 1_000).unref();
    const name = `${reason} ${platformId}`;
    const count = counts.get(name) ?? { platformId, reason, refused: 0 };
    counts.set(name, count);
    count.refused += 1;
  };
}
