/**
 * Whether a URL lies under one of some addresses: of the same origin, its path going on from theirs by
 * whole segments.
 * @throws when an address is no URL
 */
export function under(addresses: readonly string[]): (url: string) => boolean {
  const bases = addresses.map((address) => new URL(address));
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
