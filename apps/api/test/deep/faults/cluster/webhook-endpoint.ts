import { defaultPolicies, type subscribedEventTypes } from "@cardbridge/domain";
import { type Call, createOperations } from "@cardbridge/service";
import { createVerifiedKeys, type Database } from "@cardbridge/service/database";
import { fakePorts } from "@cardbridge/service/testing";
import { encryptionKeys } from "../../../../src/boot/options.ts";
import { ids } from "../../../../src/boot/ports.ts";
import { readEnv } from "../../../../src/config/env.ts";

const { webhooks } = createOperations({ ...defaultPolicies, webhookUrls: "https-or-loopback" });
const operator = { kind: "operator", actor: "claim:ada", requestId: null, address: null } as const;

interface NewEndpoint {
  url: string;
  secret: string;
  eventTypes?: (typeof subscribedEventTypes)[number][];
}

/** Creates an endpoint of a platform; by default, it receives every change of a KYC record and its requests. */
export async function createEndpoint(
  database: Database,
  platformId: string,
  { url, secret, eventTypes = ["kyc.updated", "kyc.request_updated"] }: NewEndpoint,
): Promise<void> {
  const keySet = encryptionKeys(readEnv({}));
  const { ports } = fakePorts({
    database,
    keySet,
    personalDataKeys: createVerifiedKeys(database, keySet),
    ids,
    generateWebhookSecret: () => secret,
  });
  const call: Call = { ...operator, platformId, scopes: new Set() };
  try {
    await webhooks.create.execute(ports, call, { url, eventTypes });
  } finally {
    await database.close();
  }
}
