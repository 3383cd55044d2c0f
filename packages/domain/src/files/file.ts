import * as z from "zod";

/** What a file is for; each field of a submission takes one of them (an extension, gap G24). */
export const filePurpose = z.enum(["document_front", "document_back", "selfie", "supporting_document"]);
export type FilePurpose = z.output<typeof filePurpose>;

/** What a kept file may be: images come out re-encoded, HEIC as JPEG. */
export const fileTypes = ["image/jpeg", "image/png", "image/webp", "application/pdf"] as const;
export type FileType = (typeof fileTypes)[number];

export const fileId = z.stringFormat("file-id", /^file_[0-9a-z]{26}$/);

/** What is told of an uploaded file. */
export const uploadedFile = z
  .object({
    fileId: z.string().meta({ description: "The file's id." }),
    url: z
      .string()
      .meta({ description: "Send this in a KYC submission. It opens with a key of the platform." }),
    purpose: filePurpose,
    contentType: z
      .enum(fileTypes)
      .meta({ description: "What is kept: images are re-encoded, HEIC as JPEG." }),
    size: z.int().meta({ description: "Of the uploaded bytes." }),
    sha256: z.string().meta({ description: "Of the uploaded bytes, in hexadecimal digits." }),
    expiresAt: z.iso
      .datetime()
      .meta({ description: "When the file vanishes if no submission uses it; RFC 3339." }),
  })
  .meta({ id: "UploadedFile" });
export type UploadedFile = z.output<typeof uploadedFile>;

export const fileReference = z.object({ fileId: fileId.meta({ description: "The file's id." }) });

/** The content of a file. */
export const storedFile = z.object({
  contentType: z.enum(fileTypes),
  bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
});
