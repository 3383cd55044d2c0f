export interface Target {
  origin: string;
  /** The path with its query. */
  path: string;
}

/** The target of a request to a URL; undefined for another scheme, and for a URL with a user or a password. */
export function parseTarget(text: string, allowHttp: boolean): Target | undefined {
  const url = URL.parse(text);
  if (!url || url.username + url.password !== "") return undefined;
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) return undefined;
  // Certificates and Host headers do not contain the trailing dot of the root.
  url.hostname = url.hostname.replace(/\.$/, "");
  return { origin: url.origin, path: url.pathname + url.search };
}
