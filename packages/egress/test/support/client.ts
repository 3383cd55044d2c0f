import { onTestFinished } from "vitest";
import { createGuardedClient, type GuardedClientOptions } from "../../src/guarded-client.ts";
import { testCertificate } from "./certificate.ts";

/** Creates a client that trusts the certificate of the tests. It is closed after the test. */
export function connect(options: GuardedClientOptions = {}) {
  const client = createGuardedClient({ ca: testCertificate, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** A client as in development: http, and loopback. */
export function connectLocally(options: GuardedClientOptions = {}) {
  return connect({ allowHttp: true, allowLoopback: true, ...options });
}
