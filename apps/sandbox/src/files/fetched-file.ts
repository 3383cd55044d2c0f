import * as z from "zod";
import { fileTypes } from "./file-type.ts";

/** The result of fetching one file. The request contains its URL. */
export const fetchedFileSchema = z.object({
  /** The path of the field in the request, such as `document.frontImageUrl`. */
  field: z.string(),
  /** The HTTP status. Absent without a response. */
  status: z.int().optional(),
  /** The length in bytes. Absent unless the file was read completely. */
  size: z.int().optional(),
  sha256: z.string().optional(),
  /** The type, detected from the magic bytes. */
  contentType: z.enum(fileTypes).optional(),
  /** Why the file is not acceptable. Absent when it is. */
  fault: z.string().optional(),
});

export type FetchedFile = z.infer<typeof fetchedFileSchema>;
