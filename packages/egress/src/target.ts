export interface Target {
  origin: string;
  /** The path with its query. */
  path: string;
}

/** Where a request to a URL goes. Undefined for another scheme, and for a URL with a user or a password. */
export function parseTarget(text: string, allowHttp: boolean): Target | undefined {
  const url = URL.parse(text);
  if (!url || url.username + url.password !== "") return undefined;
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) return undefined;
  // The root's dot is part of no certificate and no Host header.
  url.hostname = url.hostname.replace(/\.$/, "");
  return { origin: url.origin, path: url.pathname + url.search };
}
