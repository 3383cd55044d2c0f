interface BaseUrl {
  origin: string;
  /** Empty, or with a slash in front and none at the end; part of every signed path. */
  path: string;
}

/**
 * Takes a provider's base URL apart.
 * @throws TypeError when it is not http(s), or carries credentials, a query or a fragment; never quotes it.
 */
export function readBaseUrl(text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError("baseUrl must be an http or https URL.");
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError("baseUrl must not carry credentials, a query or a fragment.");
  }
  let end = url.pathname.length;
  while (url.pathname.endsWith("/", end)) end -= 1;
  return { origin: url.origin, path: url.pathname.slice(0, end) };
}
