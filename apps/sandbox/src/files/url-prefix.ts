/**
 * Returns a function that checks whether a URL starts with one of the prefixes. The origin must be equal, and the path
 * must start with all segments of the prefix.
 * @throws TypeError when a prefix is not a URL
 */
export function createUrlPrefixMatcher(prefixes: readonly string[]): (url: string) => boolean {
  const bases = prefixes.map((prefix) => new URL(prefix));
  return (url) => {
    const { origin, pathname } = new URL(url);
    return bases.some(
      (base) => base.origin === origin && withSlash(pathname).startsWith(withSlash(base.pathname)),
    );
  };
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
