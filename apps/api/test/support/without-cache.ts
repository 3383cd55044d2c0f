/** Disables the cache of keys and users, for tests that change them or count look-ups. */
export const withoutCache = { LOOKUP_CACHE_SECONDS: "0" };
