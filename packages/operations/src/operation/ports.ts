import type {
  Audit,
  CardProvider,
  EncryptionKeys,
  Erasures,
  FileInspector,
  Files,
  FileUrls,
  KeyAdmin,
  KeyKind,
  KycAdmin,
  KycRecords,
  NewKey,
  Observer,
  Platforms,
  UserAdmin,
  Users,
} from "@cardbridge/domain";

/** Everything that operations work with. Each operation takes the ports that it uses. */
export interface Ports {
  users: Users;
  userAdmin: UserAdmin;
  erasures: Erasures;
  kycRecords: KycRecords;
  kycAdmin: KycAdmin;
  provider: CardProvider;
  platforms: Platforms;
  keys: KeyAdmin;
  mintKey: MintKey;
  encryptionKeys: EncryptionKeys;
  inspector: FileInspector;
  files: Files;
  fileUrls: FileUrls;
  ids: Ids;
  audit: Audit;
  observer: Observer;
}

/** What every operation works with. */
export type AuditPorts = Pick<Ports, "audit" | "observer">;

/** Mints an API key that has never been used. */
export type MintKey = (kind: KeyKind) => { key: string } & Pick<NewKey, "prefix" | "hash">;

/** Mints ids that have never been used. */
export interface Ids {
  /** `usr_…`, random: derives from neither the user nor the time (gap G11). */
  externalUserId(): string;
  /** `kyc_…`, ordered by time (gap G12). */
  kycRecordId(): string;
  /** `plt_…`, ordered by time. */
  platformId(): string;
  /** `key_…`, ordered by time: names a key, and is not the key. */
  keyId(): string;
  /** `file_…`, ordered by time. */
  fileId(): string;
  /** Random: a blob's name does not reveal whose it is. */
  blobName(): string;
}
