import { Failure } from "@cardbridge/domain";

/** Checks the key of an open subscription. @throws the failure that a call with the key gets. */
export type CheckKey = () => unknown;

/** Checks the keys of open subscriptions again and again. */
export interface KeyChecks {
  /**
   * Checks a key until the returned function is called, or until a check fails. Reports that failure. A check that could
   * not run, for example because the database is unavailable, does not count: the next check decides.
   */
  watch(check: CheckKey, onFailure: (error: unknown) => void): () => void;
}

/**
 * Creates the checks with one timer, which checks all keys every `everyMs` except those whose last check still runs.
 * Look-ups that start at the same time share a statement, so the checks of a process cost about two statements a second.
 */
export function createKeyChecks(everyMs: number): KeyChecks {
  const watched = new Set<() => Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function checkAll(): void {
    for (const check of watched) check();
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(check, onFailure) {
      let running = false;
      const checkOnce = async () => {
        if (running) return;
        running = true;
        try {
          await check();
        } catch (error) {
          if (!isTemporary(error) && watched.delete(checkOnce)) onFailure(error);
        } finally {
          running = false;
        }
      };
      watched.add(checkOnce);
      timer ??= setInterval(checkAll, everyMs).unref();
      return () => void watched.delete(checkOnce);
    },
  };
}

/** A pause ends by itself too, but refuses the platform's calls until then. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof Failure) || error.code === "PLATFORM_PAUSED") return false;
  return error.details.retryAfterSeconds !== undefined;
}
