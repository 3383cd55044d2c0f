import type {
  Audit,
  CardProvider,
  Erasures,
  FileInspector,
  Files,
  FileUrls,
  KeyAdmin,
  KeyKind,
  KycRecords,
  NewKey,
  Observer,
  Platforms,
  UserAdmin,
  Users,
} from "@cardbridge/domain";

/** Everything that operations are given to work with. */
export interface Ports {
  users: Users;
  kycRecords: KycRecords;
  provider: CardProvider;
  observer: Observer;
  audit: Audit;
  ids: Ids;
  platforms: Platforms;
  keys: KeyAdmin;
  mintKey: MintKey;
  userAdmin: UserAdmin;
  erasures: Pick<Erasures, "request">;
  inspector: FileInspector;
  files: Files;
  fileUrls: FileUrls;
}

/** What operations under the scope admin work with. */
export type AdminPorts = Pick<
  Ports,
  "ids" | "platforms" | "keys" | "mintKey" | "userAdmin" | "erasures" | "audit" | "observer"
>;

/** Mints an API key that has never been used. */
export type MintKey = (kind: KeyKind) => { key: string } & Pick<NewKey, "prefix" | "hash">;

/** Mints ids that have never been used. */
export interface Ids {
  /** `usr_…`, random: says nothing of the user or of time (gap G11). */
  externalUserId(): string;
  /** `kyc_…`, ordered by time (gap G12). */
  kycRecordId(): string;
  /** `plt_…`, ordered by time. */
  platformId(): string;
  /** `key_…`, ordered by time: names a key, and is not the key. */
  keyId(): string;
  /** `file_…`, ordered by time: names a file. */
  fileId(): string;
  /** Random: the name of a blob says nothing of whose it is. */
  blobName(): string;
}
