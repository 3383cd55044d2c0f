export interface Turns {
  /** Does a work once every earlier one of the same name is over. */
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Has works of one name done one after the other, and those of different names at once. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(name, work) {
      const done = (last.get(name) ?? Promise.resolve()).then(work);
      const over = done
        .catch(() => {})
        .then(() => {
          if (last.get(name) === over) last.delete(name);
        });
      last.set(name, over);
      return done;
    },
  };
}
