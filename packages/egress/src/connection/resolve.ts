import { Resolver } from "node:dns/promises";

/** The addresses of a host name. Rejects with the code ENOTFOUND if there are none. */
export type Resolve = (name: string) => Promise<string[]>;

/**
 * Queries the DNS servers of this machine. `dns.lookup` would also read the hosts file, but it runs in the small thread
 * pool that files and encryption use, which unresponsive DNS servers would block.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (name) => {
    if (/(^|\.)localhost\.?$/.test(name)) return ["127.0.0.1", "::1"];
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0) throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
    return addresses;
  };
}
