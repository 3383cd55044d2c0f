import { type Call, holderOf, mapOperations, type Operation, type Operations } from "@cardbridge/service";
import type { Slots } from "./slots.ts";

type OperationSlots = Pick<Slots, "operations" | "provider-requests">;

/**
 * Makes every operation hold a slot of its caller while it runs: the slot of its request, or a new slot, as in a
 * batch. The operation releases the slot early to wait for the provider. Uploads have their own slots.
 */
export function limitOperations(operations: Operations, slots: OperationSlots): Operations {
  const limited = mapOperations(operations, (operation) => limit(operation, slots));
  const { upload, uploadToUrl } = operations.files;
  return { ...limited, files: { ...limited.files, upload, uploadToUrl } };
}

function limit(operation: Operation, slots: OperationSlots): Operation {
  return {
    ...operation,
    async execute(ports, call, raw, violations) {
      const slot = call.slot?.held
        ? call.slot
        : await slotsOf(call, slots).take(holderOf(call, operation.urgent));
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
