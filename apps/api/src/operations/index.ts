import type { Policies } from "@cardbridge/domain";
import { createKey, listKeys, revokeKey, rotateKey } from "./admin-keys.ts";
import { createPlatform, listPlatforms, renamePlatform } from "./admin-platforms.ts";
import { eraseUser, relinkUser, showUser } from "./admin-users.ts";
import { listCards } from "./list-cards.ts";
import type { Operation } from "./operation.ts";
import { getKyc, getKycHistory } from "./read-kyc.ts";
import { submitKyc } from "./submit-kyc.ts";
import { createUploadUrl, uploadFile } from "./upload-file.ts";

/** Every operation of the service under these policies. Pure: nothing is connected, nothing is read. */
export function createOperations(policies: Policies) {
  return {
    cards: { list: listCards },
    kyc: { submit: submitKyc(policies), get: getKyc, history: getKycHistory },
    files: { upload: uploadFile, createUploadUrl },
    admin: {
      platforms: { create: createPlatform, list: listPlatforms, rename: renamePlatform },
      keys: { create: createKey(policies), list: listKeys, rotate: rotateKey(policies), revoke: revokeKey },
      users: { show: showUser, relink: relinkUser, erase: eraseUser },
    },
  };
}

/** The operations of a group and of the groups in it, one after the other. */
export function listOperations(group: object): Operation[] {
  return Object.values(group).flatMap((part) => ("execute" in part ? [part] : listOperations(part)));
}

/** Those that tRPC has. */
export function listProcedures(group: object): Operation[] {
  return listOperations(group).filter(({ procedure }) => procedure !== false);
}

export type Operations = ReturnType<typeof createOperations>;
export type { Call, Operation } from "./operation.ts";
export type { AdminPorts, Ids, MintKey, Ports } from "./ports.ts";
export { settleKyc } from "./settle-kyc.ts";
