import { createStore } from "../api/store.ts";

const now = createStore(Date.now());
setInterval(() => now.set(Date.now()), 10_000);

/** The present time in milliseconds, renewed every ten seconds for all ages of the page together. */
export const useNow = now.use;
