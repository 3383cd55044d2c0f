import { describe, expect, it } from "vitest";
import { createAddressRules } from "../../src/addresses/address-rules.ts";

const isPublic = createAddressRules({}).allows;

describe("a public address", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.1",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
    "::ffff:8.8.8.8",
    "::ffff:808:808",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
  ])("%s is allowed", (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

describe("an address that is not public", () => {
  it.each([
    ["unspecified", "0.0.0.0"],
    ["of this network", "0.1.2.3"],
    ["private", "10.0.0.1"],
    ["private", "10.255.255.255"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["shared by a carrier", "100.64.0.1"],
    ["shared by a carrier", "100.127.255.255"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["link-local", "169.254.0.1"],
    ["metadata", "169.254.169.254"],
    ["metadata", "100.100.100.200"],
    ["metadata", "192.0.0.192"],
    ["internal to a cloud", "168.63.129.16"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.1"],
    ["documentation", "203.0.113.1"],
    ["benchmark", "198.18.0.1"],
    ["benchmark", "198.19.255.255"],
    ["a relay of 6to4", "192.88.99.1"],
    ["multicast", "224.0.0.1"],
    ["multicast", "239.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["loopback in full", "0:0:0:0:0:0:0:1"],
    ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
    ["IPv4-mapped loopback in hexadecimal", "::ffff:7f00:1"],
    ["IPv4-mapped private", "::ffff:10.0.0.1"],
    ["IPv4-mapped metadata", "::ffff:a9fe:a9fe"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["IPv4-compatible of a public address", "::8.8.8.8"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["NAT64 of a private address", "64:ff9b::10.0.0.1"],
    ["NAT64 of loopback", "64:ff9b::7f00:1"],
    ["local NAT64", "64:ff9b:1::8.8.8.8"],
    ["6to4 of loopback", "2002:7f00:1::1"],
    ["6to4 of a private address", "2002:c0a8:101::1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["ORCHID", "2001:20::1"],
    ["benchmark", "2001:2::1"],
    ["documentation", "2001:db8::1"],
    ["documentation", "3fff::1"],
    ["discard only", "100::1"],
    ["unique local", "fc00::1"],
    ["unique local", "fdff::1"],
    ["metadata", "fd00:ec2::254"],
    ["link-local", "fe80::1"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["segment routing", "5f00::1"],
    ["with a zone", "fe80::1%eth0"],
    ["public with a zone", "2606:4700::1%eth0"],
  ])("(%s) %s is rejected", (_, address) => {
    expect(isPublic(address)).toBe(false);
  });
});

describe("a text that is not an IP address", () => {
  it.each(["", "localhost", "0x7f.1", "2130706433", "127.1", "0177.0.0.1", "8.8.8.8.", "[::1]", "8.8.8.8/8"])(
    "%j is rejected",
    (text) => {
      expect(isPublic(text)).toBe(false);
    },
  );
});

describe("an allowed network", () => {
  const { allows } = createAddressRules({ allowedNetworks: ["10.1.0.0/16", "fd12:3456::/32"] });

  it.each(["10.1.0.1", "10.1.255.255", "::ffff:10.1.0.1", "64:ff9b::10.1.0.1", "fd12:3456::1", "8.8.8.8"])(
    "contains %s",
    (address) => {
      expect(allows(address)).toBe(true);
    },
  );

  it.each(["10.2.0.1", "::ffff:10.2.0.1", "fd12:3457::1", "127.0.0.1", "169.254.169.254"])(
    "does not contain %s",
    (address) => {
      expect(allows(address)).toBe(false);
    },
  );

  it("may be loopback for development", () => {
    const development = createAddressRules({ allowLoopback: true });
    expect(["127.0.0.1", "127.9.9.9", "::1", "10.0.0.1"].map(development.allows)).toEqual([
      ...[true, true, true, false],
    ]);
  });

  it("must be a CIDR", () => {
    expect(() => createAddressRules({ allowedNetworks: ["10.1.0.0"] })).toThrow();
  });
});
