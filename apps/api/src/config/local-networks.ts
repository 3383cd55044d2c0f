import { BlockList, isIP } from "node:net";

/**
 * Networks that a webhook must never reach in production: this machine, its metrics among others, and the services of
 * a cloud that hand out credentials.
 */
const forbidden = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "100.100.100.200/32",
  "169.254.0.0/16",
  "168.63.129.16/32",
  "::/127",
  "::ffff:0:0/96",
  "fe80::/10",
  "fd00:ec2::254/128",
  "fd20:ce::254/128",
];

/** The reason if one of these networks, separated by commas, overlaps one of them. */
export function localNetworks(text = ""): string[] {
  const networks = text.split(",").flatMap((part) => parse(part.trim()) ?? []);
  const isLocal = networks.some((network) => forbidden.some((cidr) => overlap(network, parse(cidr))));
  if (!isLocal) return [];
  return [
    "WEBHOOKS_ALLOWED_NETWORKS contains addresses of this machine or of its cloud's internal services: set only the networks of your platforms.",
  ];
}

interface Network {
  first: string;
  family: "ipv4" | "ipv6";
  addresses: BlockList;
}

/** Two networks overlap if one contains the first address of the other. */
function overlap(one: Network, other: Network | undefined): boolean {
  if (one.family !== other?.family) return false;
  return one.addresses.check(other.first, one.family) || other.addresses.check(one.first, one.family);
}

/** Undefined for a malformed network, which another check reports. */
function parse(cidr: string): Network | undefined {
  const [first = "", prefix = ""] = cidr.split("/");
  const [family, bits] = isIP(first) === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
  if (isIP(first) === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return undefined;
  const addresses = new BlockList();
  addresses.addSubnet(first, Number(prefix), family);
  return { first, family, addresses };
}
