/** The IPv6 prefixes that embed an IPv4 address, and the index of the group at which it starts. */
const forms = [
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 }, // IPv4-mapped
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 }, // NAT64
  { prefix: [0x2002], at: 1 }, // 6to4
];

/** The IPv4 address that a valid IPv6 address embeds; undefined if there is none. */
export function embeddedIpv4(address: string): string | undefined {
  const groups = groupsOf(address);
  const form = forms.find(({ prefix }) => prefix.every((group, at) => groups[at] === group));
  if (!form) return undefined;
  return groups
    .slice(form.at, form.at + 2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

/** The eight groups. The URL parser normalizes all spellings of an address, without a dotted part. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
