import type { Inspected } from "@cardbridge/domain";
import type { PdfProgress } from "../rendering/rendered.ts";
import type { FileKind } from "./file-type.ts";
import type { FileRule } from "./violation.ts";

/** A decoded image, the progress of a valid PDF, or the rule that the file violates. */
export type Decoded = Inspected | PdfProgress | { rule: FileRule };

/** The input of a decoder process for each file. */
export interface FileToDecode {
  kind: FileKind;
  bytes: Uint8Array;
  /** The page of a PDF to begin with. The PDF is checked before its first page is rendered. */
  page: number;
  /** The CPU time after which no further page is begun, in milliseconds. */
  pagesMs: number;
}
