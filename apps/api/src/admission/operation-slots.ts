import { type Call, mapOperations, type Operation, type Operations } from "@cardbridge/operations";
import type { Slots } from "./slots.ts";

type OperationSlots = Pick<Slots, "operations" | "provider-requests">;

/**
 * Lets every operation hold a slot of its platform while it runs: the one that its request took, or one of its own, as in
 * a batch. It gives the slot back early where it waits for the provider. Uploads hold a slot of their own kind.
 */
export function limitOperations(operations: Operations, slots: OperationSlots): Operations {
  const limited = mapOperations(operations, (operation) => limit(operation, slots));
  return { ...limited, files: { ...limited.files, upload: operations.files.upload } };
}

function limit(operation: Operation, slots: OperationSlots): Operation {
  return {
    ...operation,
    async execute(ports, call, raw, violations) {
      const slot = call.slot?.held ? call.slot : await slotsOf(call, slots).take(call.platformId);
      try {
        return await operation.execute(ports, { ...call, slot }, raw, violations);
      } finally {
        slot.release();
      }
    },
  };
}

function slotsOf({ kind }: Call, slots: OperationSlots) {
  return kind === "provider" ? slots["provider-requests"] : slots.operations;
}
