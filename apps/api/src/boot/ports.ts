import { randomBytes, randomUUID } from "node:crypto";
import {
  type BreakerState,
  type CardProvider,
  type EvidenceRenderer,
  type ExternalFiles,
  type FileInspector,
  type ListedBlobs,
  noTracer,
  type Observer,
  type ProviderSlots,
  type Tracer,
  type WebhookSender,
} from "@cardbridge/domain";
import type { GenerateWebhookSecret, Ids, Ports } from "@cardbridge/service";
import {
  createVerifiedKeys,
  type Database,
  filesRepository,
  type KeySet,
  kycRecordsRepository,
  type LookupCache,
  tableChanges,
  userLookup,
  webhookDeliveriesRepository,
} from "@cardbridge/service/database";
import { TypeID, typeid } from "typeid-js";
import { keyGenerator } from "../admission/api-key.ts";
import type { Env } from "../config/env.ts";
import { createFileUrls, type SignedUrls } from "../http/rest/file-urls.ts";
import { auditArchive } from "./audit-archive.ts";
import { fileQuotaOf, kycRecordsOptions, ownerUrlOf } from "./options.ts";
import { serviceState } from "./service-state.ts";

export interface PortParts {
  env: Env;
  database: Database;
  /** The database of webhook deliveries. The default is `database`. */
  webhooksDatabase?: Database;
  keys: KeySet;
  provider: CardProvider;
  providerSlots: ProviderSlots;
  /** The circuit breakers of this process; none at the command line. */
  breakers?: () => Readonly<Record<string, BreakerState>>;
  inspector: FileInspector;
  evidenceRenderer: EvidenceRenderer;
  /** The store of encrypted files. */
  blobs: ListedBlobs;
  webhookSender: WebhookSender;
  /** Without it, the adapter reads no external files. */
  externalFiles?: ExternalFiles;
  observer: Observer;
  publicUrl: string;
  /** The cache of users and platforms. */
  cache: LookupCache;
  /** Without it, nothing is traced. */
  tracer?: Tracer | undefined;
}

export const ids: Ids = {
  externalUserId: () => TypeID.fromUUID("usr", randomUUID()).toString(),
  kycRecordId: () => typeid("kyc").toString(),
  platformId: () => typeid("plt").toString(),
  keyId: () => typeid("key").toString(),
  fileId: () => typeid("file").toString(),
  webhookEndpointId: () => typeid("whe").toString(),
  holdId: () => typeid("hold").toString(),
  personId: () => typeid("per").toString(),
  noteId: () => typeid("note").toString(),
  documentRequestId: () => typeid("dreq").toString(),
  openingId: () => typeid("open").toString(),
  proposalId: () => typeid("prop").toString(),
  pauseId: () => typeid("pause").toString(),
  blobName: () => randomBytes(20).toString("hex"),
};

/** A secret of 32 random bytes. */
export const generateWebhookSecret: GenerateWebhookSecret = () =>
  `whsec_${randomBytes(32).toString("base64")}`;

/** Creates the ports of all operations with one database. `fileUrls` also verifies signatures. */
export function createPorts(parts: PortParts): Ports & { fileUrls: SignedUrls } {
  const {
    env,
    database,
    webhooksDatabase = database,
    keys,
    provider,
    providerSlots,
    inspector,
    evidenceRenderer,
    blobs,
    observer,
    publicUrl,
    cache,
    webhookSender,
    externalFiles,
  } = parts;
  const options = kycRecordsOptions(env);
  const personalDataKeys = createVerifiedKeys(database, keys);
  const fileUrls = createFileUrls(publicUrl, keys.urls);
  return {
    environment: env.ENVIRONMENT,
    database,
    cache,
    keySet: keys,
    personalDataKeys,
    users: userLookup({ database, personalDataKeys, cache }),
    kycRecords: kycRecordsRepository(database, { ...options, keys }),
    leaseSeconds: options.leaseSeconds,
    callSeconds: options.callSeconds,
    evidenceRenderer,
    serviceState: serviceState({ env, publicUrl, breakers: parts.breakers }),
    provider,
    providerSlots,
    generateKey: keyGenerator(env.ENVIRONMENT, env.CELL),
    inspector,
    files: filesRepository({ database, personalDataKeys }, blobs, fileQuotaOf(env)),
    blobs,
    fileUrls,
    ...(externalFiles && { externalFiles }),
    webhookDeliveries: webhookDeliveriesRepository(webhooksDatabase, { keys, environment: env.ENVIRONMENT }),
    webhookSender,
    generateWebhookSecret,
    ids,
    auditArchive,
    changeTables: tableChanges(() => ownerUrlOf(env)),
    observer,
    tracer: parts.tracer ?? noTracer,
  };
}
