import type { Blobs, CardProvider, Observer } from "@cardbridge/domain";
import { type ClosableFileInspector, createFileInspector } from "@cardbridge/files";
import type { Ports } from "@cardbridge/operations";
import {
  auditRepository,
  type Database,
  encryptionKeysRepository,
  erasures,
  filesRepository,
  type Keys,
  keyAdmin,
  kycAdmin,
  kycRecordsRepository,
  platformsRepository,
  userAdmin,
  usersRepository,
} from "@cardbridge/store";
import { mintKey } from "../api-keys/api-key.ts";
import type { Env } from "../config/env.ts";
import { createFileUrls, type SignedUrls } from "../file-downloads/file-urls.ts";
import { ids } from "./ids.ts";
import { kycRecordsOptions } from "./options.ts";
import { virusScan } from "./virus-scan.ts";

interface Parts {
  env: Env;
  database: Database;
  keys: Keys;
  provider: CardProvider;
  /** Where encrypted files are stored. */
  blobs: Blobs;
  observer: Observer;
  publicUrl: string;
}

/** Creates the ports of all operations with one database. `fileUrls` also verifies signatures; `inspector` owns processes. */
export function createPorts({ env, database, keys, provider, blobs, observer, publicUrl }: Parts): Ports & {
  fileUrls: SignedUrls;
  inspector: ClosableFileInspector;
} {
  const options = kycRecordsOptions(env);
  return {
    users: usersRepository(database, keys, env.LOOKUP_CACHE_SECONDS),
    userAdmin: userAdmin(database, keys),
    erasures: erasures(database),
    kycRecords: kycRecordsRepository(database, { ...options, keys }),
    kycAdmin: kycAdmin(database, options),
    provider,
    platforms: platformsRepository(database),
    keys: keyAdmin(database),
    mintKey,
    encryptionKeys: encryptionKeysRepository(database, keys),
    inspector: createFileInspector({ scan: virusScan(env) }),
    files: filesRepository(database, keys, blobs),
    fileUrls: createFileUrls(publicUrl, keys.urls),
    ids,
    audit: auditRepository(database, keys),
    observer,
  };
}
