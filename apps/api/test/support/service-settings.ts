/** The settings of services in tests, unless a test is about them. */
export const serviceSettings = {
  // Tests change keys and users, and count look-ups.
  LOOKUP_CACHE_SECONDS: "0",
  // A machine that is busy with other tests is slow, and the default refuses a burst that waits for long.
  REQUESTS_AT_ONCE: "512",
};
