import type { Inspected } from "@cardbridge/domain";
import type { FileKind } from "./file-type.ts";
import type { FileRule } from "./violation.ts";

/** A decoded file, or the rule that it violates. */
export type Decoded = Inspected | { rule: FileRule };

/** The input of a decoder process for each file. */
export interface FileToDecode {
  kind: FileKind;
  bytes: Uint8Array;
}
