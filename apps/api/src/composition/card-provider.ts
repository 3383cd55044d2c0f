import type {
  ConnectedProvider,
  EventReader,
  Observer,
  ProviderCapabilities,
  ProviderIds,
} from "@cardbridge/domain";
import {
  airwallexCapabilities,
  cardbridgeCapabilities,
  createAirwallexEventReader,
  createAirwallexProvider,
  createCardProvider,
  createEventReader,
} from "@cardbridge/provider";
import type { Env } from "../config/env.ts";
import type { ProviderAddress } from "./provider.ts";

/** What the adapter of each provider is made of. */
const adapters = {
  cardbridge: { capabilities: cardbridgeCapabilities, createEventReader },
  airwallex: { capabilities: airwallexCapabilities, createEventReader: createAirwallexEventReader },
} satisfies Record<ProviderAddress["kind"], unknown>;

interface Parts {
  observer: Observer;
  /** Finds users by the ids of a provider that does not know ours. */
  ids: ProviderIds;
  maxConnections?: number;
}

/** Creates the adapter of a provider, which connects on its first call. */
export function connectProvider(
  env: Env,
  address: ProviderAddress,
  { ids, ...parts }: Parts,
): ConnectedProvider {
  const deadlines = { kycMs: env.PROVIDER_KYC_TIMEOUT_MS, readMs: env.PROVIDER_READ_TIMEOUT_MS };
  const { url, clientId } = address;
  const options = { baseUrl: url, clientId, deadlines, ...parts };
  return address.kind === "airwallex"
    ? createAirwallexProvider({ ...options, filesUrl: address.filesUrl, apiKey: address.apiKey, ids })
    : createCardProvider({ ...options, clientSecret: address.clientSecret });
}

export function capabilitiesOf(kind: ProviderAddress["kind"]): ProviderCapabilities {
  return adapters[kind].capabilities;
}

/** Reads the provider's events; undefined without a secret. */
export function eventReaderOf(
  { kind }: ProviderAddress,
  secrets: readonly string[],
): EventReader | undefined {
  return secrets.length > 0 ? adapters[kind].createEventReader({ secrets }) : undefined;
}
