import type { Inspected } from "@cardbridge/domain";
import type { FileKind } from "./file-type.ts";
import type { FileRule } from "./violation.ts";

/** A decoded file, or the rule that it violates. */
export type Decoded = Inspected | { rule: FileRule };

/** The limits of one file. A decoder process that exceeds a limit is killed. */
export interface DecoderBounds {
  /** The CPU time of the process for one file, in milliseconds. */
  cpuMs: number;
  /** The resident memory of the whole process, in megabytes. */
  rssMb: number;
}

/** The message to a decoder process for each file. */
export interface DecoderRequest {
  kind: FileKind;
  bytes: Uint8Array;
  bounds: DecoderBounds;
}

/** The response of a decoder process. `exceeded` is the exceeded limit; the process then ends itself. */
export type DecoderResponse =
  | { exceeded: keyof DecoderBounds }
  | { failed: string }
  | { decoded: Decoded; rssMb: number };
