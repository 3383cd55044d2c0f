import { setTimeout as wait } from "node:timers/promises";
import { reasonOf } from "../http/reason-of.ts";

/** The code of what fails, such as `ECONNREFUSED`; undefined if nothing does. */
export type Check = () => Promise<string | undefined>;

/**
 * Runs a check at most every `everyMs`, and never twice at once: probes of several machines cost one look. The code is
 * `timeout` if there is no result in `answerMs`: load balancers wait for two seconds. Never throws.
 */
export function createCheck(run: () => Promise<unknown>, everyMs: number, answerMs = 1_500): Check {
  let begun = Number.NEGATIVE_INFINITY;
  let running = false;
  let result: Promise<string | undefined> = Promise.resolve(undefined);
  return async () => {
    if (!running && performance.now() - begun >= everyMs) {
      running = true;
      begun = performance.now();
      result = run()
        .then(() => undefined, reasonOf)
        .finally(() => {
          running = false;
        });
    }
    const answered = new AbortController();
    const late = wait(answerMs, "timeout", { signal: answered.signal }).catch(() => undefined);
    const code = await Promise.race([result, late]);
    answered.abort();
    return code;
  };
}
