import { type Observer, reasonOf } from "@cardbridge/domain";
import { type BlobStore, createEvidenceRenderer, createFileInspector } from "@cardbridge/files";
import type { Ports } from "@cardbridge/service";
import { createLookupCache, providerIds } from "@cardbridge/service/database";
import { createKnownPauses } from "../admission/current-pauses.ts";
import { watchOutages } from "../admission/outage.ts";
import { createProviderSlots } from "../admission/provider-slots.ts";
import { createRefusals } from "../admission/refusals.ts";
import { createSlots, decoders, providerConnections, renderers } from "../admission/slots.ts";
import type { Env } from "../config/env.ts";
import type { Log } from "../log/log.ts";
import type { SignedUrls } from "../rest/file-urls.ts";
import { observeProvider } from "../telemetry/observe-provider.ts";
import type { Tracing } from "../telemetry/open-telemetry.ts";
import { trackAttempts } from "../worker/tracked-attempts.ts";
import type { DatabaseAccess } from "./database.ts";
import { openExternalFiles, webhookClient, webhookSender } from "./egress.ts";
import { virusScan } from "./files.ts";
import { databaseConnections, encryptionKeys, maxUnsentOf, ratesOf } from "./options.ts";
import { openPools, type Pools } from "./pools.ts";
import { createPorts, type PortParts } from "./ports.ts";
import { connectProvider, type ProviderAccess } from "./provider.ts";
import type { TestOverrides } from "./test-overrides.ts";

/** The age at which an idle connection ends, so that none stays with a server that a failover replaced. */
const connectionMaxAgeSeconds = 1_800;

export interface ResourceOptions {
  env: Env;
  log: Log;
  publicUrl: string;
  database: DatabaseAccess;
  provider: ProviderAccess;
  /** The store of encrypted files. */
  blobs: BlobStore;
  /** Without it, nothing is traced. */
  tracing?: Tracing | undefined;
  overrides?: TestOverrides | undefined;
}

/** Opens what the app and the worker share: the limits, the connections and the ports. */
export function openResources(options: ResourceOptions, observer: Observer) {
  const { env, log, blobs, publicUrl, tracing, overrides = {} } = options;
  const tracer = tracing?.tracer;
  const rateOf = ratesOf(env, options.database.embedded);
  const refusals = createRefusals(observer, log);
  const connections = databaseConnections(env);
  const limits = { operations: env.REQUESTS_AT_ONCE, uploads: env.FILES_AT_ONCE, connections };
  const outages = { calls: watchOutages(), background: watchOutages() };
  const pauses = createKnownPauses({ onChange: (event, line) => log.warn(event, { ...line }) });
  const slots = createSlots(limits, refusals.of, outages);

  const pools = openPools(
    {
      url: options.database.serviceUrl,
      maxAgeSeconds: connectionMaxAgeSeconds,
      preparedStatements: env.DATABASE_PREPARED_STATEMENTS,
      onError: (error) => log.warn("database_connection_lost", { reason: reasonOf(error) }),
      at: overrides.failPoint,
      tracer,
    },
    connections,
    slots,
    outages,
  );
  const keys = encryptionKeys(env);
  const cache = createLookupCache({ seconds: env.LOOKUP_CACHE_SECONDS });
  const cardProvider = connectProvider(env, options.provider, {
    observer,
    ids: providerIds(pools.unshared),
    maxConnections: providerConnections,
    traceparent: tracer?.traceparent,
  });
  const externalFiles = openExternalFiles(env);
  const webhooks = webhookClient(env);
  const sender = webhookSender(webhooks);
  const inspector = createFileInspector({
    scan: virusScan(env),
    runInSlot: slots.decoders.run,
    processes: decoders,
  });
  const evidenceRenderer = createEvidenceRenderer({
    runInSlot: slots.renderers.run,
    processes: renderers,
  });

  const ports = createServicePorts(
    {
      env,
      keys,
      provider: observeProvider(overrides.provider?.(cardProvider) ?? cardProvider, observer, tracer),
      breakers: () => cardProvider.state().breakers,
      providerSlots: createProviderSlots(slots.provider, pauses, maxUnsentOf(env, rateOf)),
      inspector,
      evidenceRenderer,
      blobs,
      webhookSender: overrides.webhookSender?.(sender) ?? sender,
      externalFiles,
      observer,
      publicUrl,
      cache,
      tracer,
    },
    pools,
    overrides,
  );
  return {
    rateOf,
    refusals,
    pauses,
    slots,
    pools,
    keys,
    cache,
    cardProvider,
    inspector,
    evidenceRenderer,
    ports,
    /** Closes every connection. */
    connections: [cardProvider, webhooks, externalFiles, pools],
  };
}

interface ServicePorts {
  /** The ports of calls. */
  calls: Ports & { fileUrls: SignedUrls };
  /** The ports of the worker, webhooks, and the provider's own requests. */
  background: Ports;
  /** Returns the leases of unfinished attempts. */
  releaseLeases(): Promise<unknown>;
}

/** Creates the service's ports once for each pool, from the same parts. */
function createServicePorts(
  parts: Omit<PortParts, "database" | "webhooksDatabase">,
  pools: Pools,
  overrides: TestOverrides,
): ServicePorts {
  function portsOver(databases: Pick<PortParts, "database" | "webhooksDatabase">) {
    const ports = createPorts({ ...parts, ...databases });
    const tracked = trackAttempts(overrides.kycRecords?.(ports.kycRecords) ?? ports.kycRecords);
    const webhookDeliveries =
      overrides.webhookDeliveries?.(ports.webhookDeliveries) ?? ports.webhookDeliveries;
    return {
      ports: { ...ports, webhookDeliveries, kycRecords: tracked.kycRecords },
      release: tracked.release,
    };
  }

  const calls = portsOver({ database: pools.calls });
  const background = portsOver({ database: pools.records, webhooksDatabase: pools.webhooks });
  return {
    calls: calls.ports,
    background: background.ports,
    releaseLeases: () => Promise.all([calls.release(), background.release()]),
  };
}
