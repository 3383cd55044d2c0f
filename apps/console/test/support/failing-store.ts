import { createMemoryStore } from "../../src/server/sessions/memory-store.ts";
import { type Store, StoreUnavailable } from "../../src/server/sessions/store.ts";

/** A store in memory that a test takes away, as a server that does not answer. */
export function failingStore() {
  const state = { isAway: false };
  const create = (now: () => number): Store => {
    const memory = createMemoryStore(now);
    const guard = <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) => {
      return async (...args: Args): Promise<Answer> => {
        if (state.isAway) throw new StoreUnavailable("ECONNREFUSED");
        return call(...args);
      };
    };
    return {
      get: guard(memory.get),
      set: guard(memory.set),
      replace: guard(memory.replace),
      prolong: guard(memory.prolong),
      delete: guard(memory.delete),
      claim: guard(memory.claim),
      check: guard(memory.check),
      close: memory.close,
    };
  };
  return { state, create };
}
