import type {
  AuditArchive,
  CardProvider,
  Environment,
  EvidenceRenderer,
  ExternalFiles,
  FileInspector,
  Files,
  FileUrls,
  KeyOwner,
  KycRecords,
  ListedBlobs,
  Observer,
  ProviderSlots,
  ServiceState,
  Tracer,
  Users,
  WebhookDeliveries,
  WebhookSender,
} from "@cardbridge/domain";
import type { ChangeTables } from "../database/change-tables.ts";
import type { Database } from "../database/database.ts";
import type { LookupCache } from "../database/lookup-cache.ts";
import type { KeySet } from "../encryption/keys.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";

/** The ports of all operations. Each operation uses some of them. */
export interface Ports {
  environment: Environment;
  database: Database;
  /** The cache of users and platforms. */
  cache: LookupCache;
  keySet: KeySet;
  personalDataKeys: VerifiedKeys;
  users: Users;
  kycRecords: KycRecords;
  /** How long an attempt owns its record, in seconds. Exceeds the longest call to the provider. */
  leaseSeconds: number;
  /** The longest call to the provider, in seconds. */
  callSeconds: number;
  evidenceRenderer: EvidenceRenderer;
  serviceState: ServiceState;
  provider: CardProvider;
  providerSlots: ProviderSlots;
  generateKey: GenerateKey;
  inspector: FileInspector;
  /** The store of encrypted files. */
  blobs: ListedBlobs;
  files: Files;
  fileUrls: FileUrls;
  webhookDeliveries: WebhookDeliveries;
  webhookSender: WebhookSender;
  generateWebhookSecret: GenerateWebhookSecret;
  /** For a provider that accepts bytes. Absent: such a provider receives uploads only. */
  externalFiles?: ExternalFiles | undefined;
  ids: Ids;
  auditArchive: AuditArchive;
  /** Needs the URL of the tables' owner, which the command line has. */
  changeTables: ChangeTables;
  observer: Observer;
  tracer: Tracer;
}

/** Creates a new random API key, with its visible start and the SHA-256 of the whole key. */
export type GenerateKey = (owner: KeyOwner) => { key: string; prefix: string; hash: Buffer };

/** Creates a new random secret of a webhook endpoint: `whsec_` and base64 (Standard Webhooks 1.0.0). */
export type GenerateWebhookSecret = () => string;

/** Creates unique ids. */
export interface Ids {
  /** `usr_…`, random: reveals neither the user nor the time (gap G11). */
  externalUserId(): string;
  /** `kyc_…`, ordered by time (gap G12). */
  kycRecordId(): string;
  /** `plt_…`, ordered by time. */
  platformId(): string;
  /** `key_…`, ordered by time: the id of a key, not the key itself. */
  keyId(): string;
  /** `file_…`, ordered by time. */
  fileId(): string;
  /** `whe_…`, ordered by time. */
  webhookEndpointId(): string;
  /** `hold_…`, ordered by time: a legal hold. */
  holdId(): string;
  /** `per_…`, ordered by time: a person of an internal app. */
  personId(): string;
  /** `note_…`, ordered by time: a note about a record. */
  noteId(): string;
  /** `dreq_…`, ordered by time: a request of the provider for a document. */
  documentRequestId(): string;
  /** `open_…`, ordered by time: an opening of a record's evidence. */
  openingId(): string;
  /** `prop_…`, ordered by time: a proposal. */
  proposalId(): string;
  /** `pause_…`, ordered by time. */
  pauseId(): string;
  /** Random, so that a blob's name does not reveal its owner. */
  blobName(): string;
}
