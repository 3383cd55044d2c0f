/** Keys and users are looked up anew for every call, for tests that change them or count what is looked up. */
export const unheld = { LOOKUP_CACHE_SECONDS: "0" };
