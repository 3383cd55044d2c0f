import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import type { AddressRules } from "../addresses/address-rules.ts";
import type { Resolve } from "./resolve.ts";

interface GuardedAgentOptions {
  rules: AddressRules;
  resolve: Resolve;
  /** The limit of name resolution, connection and TLS handshake together, in milliseconds. */
  connectMs: number;
  /** The maximum size of an answer's head, in bytes. */
  maxHeaderBytes: number;
  /** Certificates of authorities, in place of those that Node trusts. */
  ca?: string | undefined;
}

/**
 * Creates an agent whose connections check the address. A name is resolved once for a connection, all its addresses have
 * to be allowed, and the connection goes to one of them: a name that changes after the check gains nothing. Connections
 * are reused for the same origin only.
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
    // Node looks up names only, so an address in the URL is checked here.
    connect(options, callback) {
      const { hostname } = options;
      if (isIP(hostname) === 0 || rules.allows(hostname)) connectTo(options, callback);
      else queueMicrotask(() => callback(refusal(), null));
    },
    allowH2: false,
    pipelining: 1,
    // The total deadline covers head and body. undici's own timeouts restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
    keepAliveMaxTimeout: 30_000,
  });
}

function refusal(): Error {
  return Object.assign(new Error("The address is not allowed."), { code: "ERR_ADDRESS_REFUSED" });
}
