import { type Call, mapOperations, type Operation, type Operations } from "@cardbridge/operations";
import type { FairShares } from "./fair-shares.ts";
import { lanes } from "./lanes.ts";

/** The places of operations under way: reads and writes apart. */
export type OperationPlaces = Record<Operation["kind"], FairShares>;

/** Lets every operation take a place while it runs. Uploads have places of their own, from before their body is read. */
export function shareOperations(operations: Operations, places: OperationPlaces): Operations {
  const shared = mapOperations(operations, (operation) => share(operation, places));
  return { ...shared, files: { ...shared.files, upload: operations.files.upload } };
}

function share(operation: Operation, places: OperationPlaces): Operation {
  return {
    ...operation,
    execute: (ports, call, raw, violations) =>
      places[operation.kind].run(laneOf(call), () => operation.execute(ports, call, raw, violations)),
  };
}

/** The provider's calls name no platform. Platforms cannot starve them. */
function laneOf({ kind, platformId }: Call): string {
  return kind === "provider" ? lanes.provider : platformId;
}
