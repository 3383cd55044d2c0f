/** Checks the key of an open subscription. @throws the failure that a call with the key gets. */
export type CheckKey = () => unknown;

/** Checks the keys of open subscriptions again and again. */
export interface KeyChecks {
  /** Checks a key until the returned function is called, or until a check fails. Reports that failure. */
  watch(check: CheckKey, onFailure: (error: unknown) => void): () => void;
}

/**
 * Creates the checks with one timer: `everyMs` after all keys are checked, it checks all again. Look-ups that start at
 * the same time share a statement, so the checks of a process cost about two statements a second.
 */
export function createKeyChecks(everyMs: number): KeyChecks {
  const watched = new Set<() => Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    timer = watched.size === 0 ? undefined : setTimeout(checkAll, everyMs).unref();
  }

  async function checkAll(): Promise<void> {
    await Promise.all([...watched].map((check) => check()));
    schedule();
  }

  return {
    watch(check, onFailure) {
      const checkOnce = async () => {
        try {
          await check();
        } catch (error) {
          if (watched.delete(checkOnce)) onFailure(error);
        }
      };
      watched.add(checkOnce);
      if (!timer) schedule();
      return () => void watched.delete(checkOnce);
    },
  };
}
