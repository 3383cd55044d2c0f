export interface KeyedQueue {
  /** Runs a task after all earlier tasks with the same key. Resolves or rejects as the task does. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
}

/** Runs tasks with the same key one after another, and tasks with different keys concurrently. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, task) {
      const result = (last.get(key) ?? Promise.resolve()).then(task);
      const finished = result
        .catch(() => {})
        .then(() => {
          if (last.get(key) === finished) last.delete(key);
        });
      last.set(key, finished);
      return result;
    },
  };
}
