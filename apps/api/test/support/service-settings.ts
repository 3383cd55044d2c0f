/** The settings of services in tests, unless a test is about them. */
export const serviceSettings = {
  // Tests change keys and users, and count look-ups.
  LOOKUP_CACHE_SECONDS: "0",
  // On a machine that is busy with other tests, the default limit rejects bursts that wait long.
  REQUESTS_AT_ONCE: "512",
};
