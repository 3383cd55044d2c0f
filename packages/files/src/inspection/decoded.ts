import type { Inspected } from "@cardbridge/domain";
import type { FileKind } from "./file-type.ts";
import type { FileRule } from "./violation.ts";

/** A decoded file, or the rule that it violates. */
export type Decoded = Inspected | { rule: FileRule };

/** The bounds of one file. A decoder process that reaches one is ended. */
export interface DecoderBounds {
  /** The CPU time of the process for one file, in milliseconds. */
  cpuMs: number;
  /** The resident memory of the whole process, in megabytes. */
  rssMb: number;
}

/** What a decoder process receives for each file. */
export interface DecoderRequest {
  kind: FileKind;
  bytes: Uint8Array;
  bounds: DecoderBounds;
}

/** What it answers. `exceeded` names the reached bound; the process ends itself after that answer. */
export type DecoderResponse =
  | { exceeded: keyof DecoderBounds }
  | { failed: string }
  | { decoded: Decoded; rssMb: number };
