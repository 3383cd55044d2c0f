/** The networks of public addresses: all of IPv4, and the IPv6 range that IANA assigned as global unicast. */
export const unicastNetworks = ["0.0.0.0/0", "2000::/3"];

/**
 * The networks within them that are not public: IANA's registries of special-purpose addresses, multicast, and the
 * internal addresses of clouds. Outside 2000::/3 are, among others, loopback, link-local, unique local, site-local and
 * multicast addresses, and the local NAT64 prefix.
 */
export const specialNetworks = [
  "0.0.0.0/8", // this network, and the unspecified address
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by carriers (CGNAT)
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's internal services
  "169.254.0.0/16", // link-local, including cloud metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments, including cloud metadata
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // multicast relays
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
  "2001::/23", // protocol assignments, Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
];

export const loopbackNetworks = ["127.0.0.0/8", "::1/128"];
