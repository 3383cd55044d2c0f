/** Non-public host names: reserved names (RFC 6761, 6762, 8375, ICANN's .internal) and common private names. */
export const privateNames = [
  "localhost",
  "local",
  "internal",
  "home.arpa",
  "test",
  "example",
  "invalid",
  "onion",
  "alt",
  "localdomain",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
];

/** Whether the host name of a URL is under none of `privateNames`. */
export function hasPublicName(url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, "");
  return !privateNames.some((name) => host === name || host.endsWith(`.${name}`));
}
