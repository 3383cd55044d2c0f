import { type Database, webhookEndpointsRepository } from "@cardbridge/service/database";
import { encryptionKeys } from "../../../../src/boot/options.ts";
import { ids } from "../../../../src/boot/ports.ts";
import { readEnv } from "../../../../src/config/env.ts";

/** Creates an endpoint of a platform that receives every change of a KYC record. */
export async function createEndpoint(
  database: Database,
  platformId: string,
  { url, secret }: { url: string; secret: string },
): Promise<void> {
  const endpoint = { endpointId: ids.webhookEndpointId(), url, secret, description: null };
  try {
    const endpoints = webhookEndpointsRepository(database, encryptionKeys(readEnv({})));
    await endpoints.create(platformId, { ...endpoint, eventTypes: ["kyc.updated"] });
  } finally {
    await database.close();
  }
}
