import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import type { AddressRules } from "../addresses/address-rules.ts";
import type { Resolve } from "./resolve.ts";

interface GuardedAgentOptions {
  rules: AddressRules;
  resolve: Resolve;
  /** The limit for name resolution, connection and TLS handshake together, in milliseconds. */
  connectMs: number;
  /** The maximum size of a response's head, in bytes. */
  maxHeaderBytes: number;
  /** CA certificates that replace those that Node trusts. */
  ca?: string | undefined;
}

/**
 * Creates an agent that checks the address of every connection. It resolves a name once per connection, requires all
 * of its addresses to be allowed and connects to one of them, so a DNS change after the check has no effect.
 * Connections are reused for the same origin only.
 */
export function createGuardedAgent({
  rules,
  resolve,
  connectMs,
  maxHeaderBytes,
  ca,
}: GuardedAgentOptions): Agent {
  const lookup: LookupFunction = (name, { all }, callback) => {
    const checked = resolve(name).then((found) => {
      if (found.length === 0 || !found.every(rules.allows)) throw refusal();
      return found.map((address) => ({ address, family: isIP(address) }));
    });
    checked.then(
      (addresses) => {
        const [first = { address: "", family: 0 }] = addresses;
        if (all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ""),
    );
  };
  const connectTo = buildConnector({ allowH2: false, timeout: connectMs, lookup, ...(ca && { ca }) });
  return new Agent({
    // Node resolves only names, so an address in the URL is checked here.
    connect(options, callback) {
      const { hostname } = options;
      if (isIP(hostname) === 0 || rules.allows(hostname)) connectTo(options, callback);
      else queueMicrotask(() => callback(refusal(), null));
    },
    allowH2: false,
    pipelining: 1,
    // The total deadline covers head and body; undici's own timeouts restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
    keepAliveMaxTimeout: 30_000,
  });
}

function refusal(): Error {
  return Object.assign(new Error("The address is not allowed."), { code: "ERR_ADDRESS_REFUSED" });
}
