import type { Observer } from "@cardbridge/domain";
import type { Log } from "../observability/log.ts";
import type { FairSharesOptions } from "./fair-shares.ts";
import type { Resource } from "./resources.ts";

type OnRefused = NonNullable<FairSharesOptions["onRefused"]>;

/** Counts the refusals of each resource in the metrics, and all of them in the log, in one line a second at most. */
export function countRefusals(observer: Observer, log: Pick<Log, "full">): (resource: Resource) => OnRefused {
  let refused = 0;
  function report(): void {
    log.full(refused);
    refused = 0;
  }
  return (resource) => (code) => {
    observer.observe("share_refused", { resource, outcome: code });
    if (refused === 0) setTimeout(report, 1_000).unref();
    refused += 1;
  };
}
