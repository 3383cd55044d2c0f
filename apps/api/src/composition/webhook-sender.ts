import { createGuardedClient, createWebhookSender, type GuardedClient } from "@cardbridge/egress";
import type { Env } from "../config/env.ts";
import { version } from "../process/version.ts";

/** Creates the client of webhooks. Outside production, endpoints may be on this machine (gap G32). */
export function webhookClient(env: Env): GuardedClient {
  const local = env.NODE_ENV !== "production";
  return createGuardedClient({
    allowedNetworks: env.WEBHOOKS_ALLOWED_NETWORKS,
    ...{ allowLoopback: local, allowHttp: local },
  });
}

export const webhookSender = (client: GuardedClient) => createWebhookSender({ client, version });
