/** The settings of services in tests, unless a test is about them: tests change keys and users, and count look-ups. */
export const serviceSettings = { LOOKUP_CACHE_SECONDS: "0" };
