import * as z from "zod";

/** The purpose of a file. Each file field of a submission requires one purpose (an extension). */
export const filePurpose = z.enum(["document_front", "document_back", "selfie", "supporting_document"]);
export type FilePurpose = z.output<typeof filePurpose>;

/** Whether a file of this purpose may be a PDF. Any file may be an image. */
export const acceptsPdf = (purpose: FilePurpose): boolean => purpose === "supporting_document";

/** The types of stored files. Images are re-encoded. */
export const fileTypes = ["image/jpeg", "image/png", "image/webp", "application/pdf"] as const;
export type FileType = (typeof fileTypes)[number];

export const fileId = z.stringFormat("file-id", /^file_[0-9a-z]{26}$/).meta({ maxLength: 31 });

/** An uploaded file, for the caller. */
export const uploadedFile = z
  .object({
    fileId: z.string().meta({ description: "The file's id." }),
    url: z
      .string()
      .meta({ description: "Send this URL in a KYC submission. Reading it requires a key of the platform." }),
    purpose: filePurpose.meta({ description: "The field of a submission that can use the file." }),
    contentType: z
      .enum(fileTypes)
      .meta({ description: "The type of the stored file. Images are re-encoded." }),
    size: z.int().meta({ description: "The size of the uploaded file in bytes." }),
    sha256: z.string().meta({ description: "The SHA-256 of the uploaded bytes, in hexadecimal." }),
    expiresAt: z.iso
      .datetime()
      .meta({ description: "When the file expires unless a submission uses it; RFC 3339." }),
  })
  .meta({ id: "UploadedFile" });
export type UploadedFile = z.output<typeof uploadedFile>;

export const fileReference = z.object({ fileId: fileId.meta({ description: "The file's id." }) });

/** The content of a file. */
export const storedFile = z.object({
  contentType: z.enum(fileTypes),
  bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
});
