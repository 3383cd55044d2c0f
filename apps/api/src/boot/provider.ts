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
import { sandboxCredentials, sandboxEventsSecret } from "../config/development-secrets.ts";
import type { Env } from "../config/env.ts";
import { findSandbox, type SandboxOptions, startSandbox } from "./development/sandbox.ts";

/** The URLs of a card provider, and the service's credentials there. */
export type ProviderAddress = { url: string; clientId: string } & (
  | { kind: "cardbridge"; clientSecret: string }
  | { kind: "airwallex"; filesUrl: string; apiKey: string }
);

/** A running card provider. */
export type ProviderAccess = ProviderAddress & {
  /** The secrets of the provider's event signatures; empty without events. */
  eventsSecrets: readonly string[];
  /** True for the sandbox of this process. */
  sandbox: boolean;
  stop(): Promise<void>;
};

/** Uses the configured provider, or starts the sandbox as a child process. */
export async function accessProvider(env: Env, options: SandboxOptions): Promise<ProviderAccess> {
  const configured = configuredProvider(env);
  if (configured) {
    const eventsSecrets = env.PROVIDER_EVENTS_SECRETS;
    return { ...configured, eventsSecrets, sandbox: false, stop: async () => {} };
  }
  const { url, stop } = await startSandbox(env, options);
  return {
    kind: "cardbridge",
    url,
    ...sandboxCredentials,
    eventsSecrets: [sandboxEventsSecret],
    sandbox: true,
    stop,
  };
}

/**
 * The configured provider, or the sandbox that another process started in DATA_DIR. That sandbox may no longer run.
 * @throws StartError if there is neither.
 */
export async function findProvider(env: Env): Promise<ProviderAddress> {
  return (
    configuredProvider(env) ?? { kind: "cardbridge", url: await findSandbox(env), ...sandboxCredentials }
  );
}

/** The environment's checks guarantee every variable of the configured provider. */
function configuredProvider(env: Env): ProviderAddress | undefined {
  const { PROVIDER: kind, PROVIDER_URL: url, PROVIDER_FILES_URL: filesUrl = "" } = env;
  const { PROVIDER_CLIENT_ID: clientId = "", PROVIDER_CLIENT_SECRET: clientSecret = "" } = env;
  if (url === undefined) return undefined;
  return kind === "airwallex"
    ? { kind, url, filesUrl, clientId, apiKey: clientSecret }
    : { kind, url, clientId, clientSecret };
}

/** The parts of each provider's adapter. */
const adapters = {
  cardbridge: { capabilities: cardbridgeCapabilities, createEventReader },
  airwallex: { capabilities: airwallexCapabilities, createEventReader: createAirwallexEventReader },
} satisfies Record<ProviderAddress["kind"], unknown>;

interface Parts {
  observer: Observer;
  /** Maps the user ids of a provider that does not store the service's ids. */
  ids: ProviderIds;
  maxConnections?: number;
  /** The W3C traceparent of the current trace, which each request carries. */
  traceparent?: (() => string | undefined) | undefined;
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
