import { defaultPolicies, Failure } from "@cardbridge/domain";
import { liftHold } from "../../src/holds/lift.ts";
import { listHolds } from "../../src/holds/list.ts";
import { placeHold } from "../../src/holds/place.ts";
import type { Ports } from "../../src/index.ts";
import { operatorCall } from "./calls.ts";

interface Held {
  externalUserId?: string;
  kycRecordId?: string;
  reference?: string;
  until?: string | null;
}

/** Legal holds, by the operations without four eyes; null where there is no such user, record or hold. */
export function holding(ports: Ports) {
  const lift = liftHold({ ...defaultPolicies, fourEyes: false });
  const by = (actor: string) => ({ ...operatorCall, actor });
  return {
    place: (platformId: string, held: Held, placedBy = "claim:ada") =>
      placeHold(defaultPolicies)
        .execute(ports, by(placedBy), { platformId, reference: "HKMA-2027/118", ...held })
        .then(({ data }) => data, toNull),
    lift: (platformId: string, holdId: string, liftedBy: string) =>
      lift.execute(ports, by(liftedBy), { platformId, holdId }).then(({ data }) => data, toNull),
    list: (platformId: string, filter: { externalUserId?: string; active?: true; limit?: number } = {}) =>
      listHolds.execute(ports, operatorCall, { platformId, ...filter }).then(({ data }) => data.holds),
  };
}

function toNull(error: unknown): null {
  if (error instanceof Failure && error.code.endsWith("_NOT_FOUND")) return null;
  throw error;
}
