interface BaseUrl {
  origin: string;
  /** Empty, or a path with a leading slash and without a trailing slash. It is part of every signed path. */
  path: string;
}

/**
 * Splits a provider's base URL into origin and path.
 * @throws TypeError when it is not http(s), or has credentials, a query or a fragment. The message never quotes it.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError("baseUrl must be an http or https URL.");
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError("baseUrl must not contain credentials, a query or a fragment.");
  }
  let end = url.pathname.length;
  while (url.pathname.endsWith("/", end)) end -= 1;
  return { origin: url.origin, path: url.pathname.slice(0, end) };
}
