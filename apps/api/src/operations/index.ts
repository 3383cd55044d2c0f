import type { Policies } from "@cardbridge/domain";
import { listCards } from "./list-cards.ts";
import { getKyc, getKycHistory } from "./read-kyc.ts";
import { submitKyc } from "./submit-kyc.ts";

/** Every operation of the service under these policies. Pure: nothing is connected, nothing is read. */
export function createOperations(policies: Policies) {
  return {
    cards: { list: listCards },
    kyc: { submit: submitKyc(policies), get: getKyc, history: getKycHistory },
  };
}

export type Operations = ReturnType<typeof createOperations>;
export type { Call, Operation } from "./operation.ts";
export type { Ids, Ports } from "./ports.ts";
export { settleKyc } from "./settle-kyc.ts";
