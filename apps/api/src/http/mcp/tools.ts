import type { Operation, Operations } from "@cardbridge/service";

/** A tool that runs an operation. */
export interface OperationTool {
  operation: Operation;
  /** Whether a call changes nothing. An operation of the kind `write` may only have an input that no URL may contain. */
  readOnly: boolean;
}

/** The tools that run operations, by name. The declarations have everything else. */
export function operationTools({ kyc, cards }: Operations): ReadonlyMap<string, OperationTool> {
  return new Map<string, OperationTool>([
    ["requirements", { operation: kyc.requirements, readOnly: true }],
    ["validate", { operation: kyc.validate, readOnly: true }],
    ["submit", { operation: kyc.submit, readOnly: false }],
    ["result", { operation: kyc.get, readOnly: true }],
    ["cards", { operation: cards.list, readOnly: true }],
  ]);
}
