import type { ExternalFiles } from "@cardbridge/domain";
import {
  createExternalFiles,
  createGuardedClient,
  createWebhookSender,
  type GuardedClient,
} from "@cardbridge/egress";
import type { Env } from "../config/env.ts";
import { version } from "../process/version.ts";

/** The time to read one file, in milliseconds. It is part of the deadline of its submission. */
const readMs = 5_000;

/**
 * Reads files from callers' URLs, for an adapter that sends bytes. In production, only public addresses over https are
 * allowed. The networks allowed for webhooks do not apply, because any caller may send a URL.
 */
export function openExternalFiles({
  NODE_ENV,
  FILE_MAX_BYTES: maxBytes,
}: Pick<Env, "NODE_ENV" | "FILE_MAX_BYTES">): ExternalFiles & { close(): Promise<void> } {
  const local = NODE_ENV !== "production";
  const client = createGuardedClient({ allowLoopback: local, allowHttp: local });
  return { ...createExternalFiles({ client, maxBytes, deadlineMs: readMs }), close: client.close };
}

/** Creates the client of webhooks. Outside production, endpoints may be on this machine (gap G32). */
export function webhookClient(env: Env): GuardedClient {
  const local = env.NODE_ENV !== "production";
  return createGuardedClient({
    allowedNetworks: env.WEBHOOKS_ALLOWED_NETWORKS,
    allowLoopback: local,
    allowHttp: local,
  });
}

export const webhookSender = (client: GuardedClient) => createWebhookSender({ client, version });
