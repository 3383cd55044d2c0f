import { describe, expect, it } from "vitest";
import { createAddressRules } from "../../src/addresses/address-rules.ts";

const isPublic = createAddressRules({}).allows;

/** Ranges that are not public: addresses of each, and the public addresses beside it. */
const ranges: { range: string; inside: string[]; beside?: string[] }[] = [
  { range: "this network", inside: ["0.0.0.0", "0.1.2.3"] },
  {
    range: "private, class A",
    inside: ["10.0.0.1", "10.255.255.255"],
    beside: ["9.255.255.255", "11.0.0.1"],
  },
  {
    range: "private, class B",
    inside: ["172.16.0.1", "172.31.255.255"],
    beside: ["172.15.255.255", "172.32.0.0"],
  },
  { range: "private, class C", inside: ["192.168.1.1"], beside: ["192.167.255.255", "192.169.0.0"] },
  {
    range: "a carrier",
    inside: ["100.64.0.1", "100.127.255.255"],
    beside: ["100.63.255.255", "100.128.0.0"],
  },
  { range: "loopback", inside: ["127.0.0.1", "127.255.255.254"], beside: ["126.255.255.255", "128.0.0.1"] },
  { range: "link-local", inside: ["169.254.0.1"], beside: ["169.253.255.255", "169.255.0.0"] },
  { range: "metadata", inside: ["169.254.169.254", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"] },
  { range: "a cloud", inside: ["168.63.129.16"] },
  { range: "documentation", inside: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"] },
  { range: "benchmarks", inside: ["198.18.0.1", "198.19.255.255"], beside: ["198.17.255.255", "198.20.0.0"] },
  { range: "relays of 6to4", inside: ["192.88.99.1"] },
  { range: "multicast", inside: ["224.0.0.1", "239.255.255.255", "ff02::1"], beside: ["223.255.255.255"] },
  { range: "reserved and broadcast", inside: ["240.0.0.1", "255.255.255.255"] },
  { range: "IPv6 loopback and unspecified", inside: ["::", "::1", "0:0:0:0:0:0:0:1"] },
  { range: "IPv4-mapped loopback", inside: ["::ffff:127.0.0.1", "::ffff:7f00:1"] },
  {
    range: "other IPv4-mapped",
    inside: ["::ffff:10.0.0.1", "::ffff:a9fe:a9fe"],
    beside: ["::ffff:8.8.8.8", "::ffff:808:808"],
  },
  { range: "IPv4-compatible and translated", inside: ["::127.0.0.1", "::8.8.8.8", "::ffff:0:127.0.0.1"] },
  {
    range: "NAT64 of others",
    inside: ["64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::8.8.8.8"],
    beside: ["64:ff9b::8.8.8.8"],
  },
  { range: "6to4 of others", inside: ["2002:7f00:1::1", "2002:c0a8:101::1"], beside: ["2002:808:808::1"] },
  { range: "Teredo, ORCHID, IPv6 benchmarks", inside: ["2001:0:4136:e378::", "2001:20::1", "2001:2::1"] },
  { range: "discarded and routing", inside: ["100::1", "5f00::1"] },
  { range: "IPv6 local", inside: ["fc00::1", "fdff::1", "fe80::1", "fec0::1"] },
  { range: "zones", inside: ["fe80::1%eth0", "2606:4700::1%eth0"], beside: ["2606:4700:4700::1111"] },
];

describe("an address is public", () => {
  it.each(ranges)("outside $range", ({ inside, beside = [] }) => {
    expect(inside.filter(isPublic)).toEqual([]);
    expect(beside.filter(isPublic)).toEqual(beside);
  });

  it("otherwise", () => {
    const addresses = ["1.1.1.1", "8.8.8.8", "2a00:1450:4001:82a::200e"];
    expect(addresses.filter(isPublic)).toEqual(addresses);
  });

  it("if it is one", () => {
    const names = [
      "",
      "localhost",
      "0x7f.1",
      "2130706433",
      "127.1",
      "0177.0.0.1",
      "8.8.8.8.",
      "[::1]",
      "8.8.8.8/8",
    ];
    expect(names.filter(isPublic)).toEqual([]);
  });
});

describe("an allowed network", () => {
  const { allows } = createAddressRules({ allowedNetworks: ["10.1.0.0/16", "fd12:3456::/32"] });

  it("contains its addresses in every notation, and no others", () => {
    const inside = [
      "10.1.0.1",
      "10.1.255.255",
      "::ffff:10.1.0.1",
      "64:ff9b::10.1.0.1",
      "fd12:3456::1",
      "8.8.8.8",
    ];
    expect(inside.filter(allows)).toEqual(inside);
    const outside = ["10.2.0.1", "::ffff:10.2.0.1", "fd12:3457::1", "127.0.0.1", "169.254.169.254"];
    expect(outside.filter(allows)).toEqual([]);
  });

  it("may be loopback for development", () => {
    const development = createAddressRules({ allowLoopback: true });
    const allowed = ["127.0.0.1", "127.9.9.9", "::1"];
    expect([...allowed, "10.0.0.1"].filter(development.allows)).toEqual(allowed);
  });

  it("must be a CIDR", () => {
    expect(() => createAddressRules({ allowedNetworks: ["10.1.0.0"] })).toThrow();
  });
});
