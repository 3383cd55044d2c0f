import { onTestFinished } from "vitest";
import { createGuardedClient, type GuardedClientOptions } from "../../src/guarded-client.ts";
import { testCertificate } from "./certificate.ts";

/** Creates a client that trusts the certificate of the tests. Closes it after the test. */
export function connect(options: GuardedClientOptions = {}) {
  const client = createGuardedClient({ ca: testCertificate, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** Creates a client as in development, with http and loopback allowed. */
export function connectLocally(options: GuardedClientOptions = {}) {
  return connect({ allowHttp: true, allowLoopback: true, ...options });
}
