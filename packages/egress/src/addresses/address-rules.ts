import { BlockList, isIP } from "node:net";
import { loopbackNetworks, specialNetworks, unicastNetworks } from "./networks.ts";

/** The IPv6 prefixes that embed an IPv4 address, and the index of the group at which it starts. */
const forms = [
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 }, // IPv4-mapped
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 }, // NAT64
  { prefix: [0x2002], at: 1 }, // 6to4
];

export interface AddressRulesOptions {
  /** CIDRs of private networks, such as 10.1.0.0/16, that are allowed in addition to public addresses. */
  allowedNetworks?: readonly string[] | undefined;
  /** Allows loopback addresses. For development only. */
  allowLoopback?: boolean | undefined;
}

export interface AddressRules {
  /** Whether connections to this IP address are allowed; false for a text that is not an IP address. */
  allows(address: string): boolean;
}

/**
 * Decides to which IP addresses connections are allowed. For an IPv6 address that embeds an IPv4 address, the IPv4
 * address decides.
 * @throws Error for an invalid CIDR
 */
export function createAddressRules({
  allowedNetworks = [],
  allowLoopback = false,
}: AddressRulesOptions): AddressRules {
  const own = networks([...allowedNetworks, ...(allowLoopback ? loopbackNetworks : [])]);
  const unicast = networks(unicastNetworks);
  const special = networks(specialNetworks);

  return {
    allows(text) {
      // A zone selects an interface of this machine.
      if (isIP(text) === 0 || text.includes("%")) return false;
      const address = (isIP(text) === 6 && embeddedIpv4(text)) || text;
      return contains(own, address) || (contains(unicast, address) && !contains(special, address));
    },
  };
}

function networks(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", prefix = ""] = cidr.split("/");
    if (!/^[0-9]+$/.test(prefix)) throw new Error("A network must be a CIDR such as 10.1.0.0/16.");
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** The IPv4 address that a valid IPv6 address embeds; undefined if there is none. */
function embeddedIpv4(address: string): string | undefined {
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
