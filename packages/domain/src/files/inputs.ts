import * as z from "zod";
import { filePurpose } from "./file.ts";

const purpose = filePurpose.meta({ description: "The field of the submission that will use the file." });

/** The input of an upload URL. */
export const createUploadUrlInput = z.object({ purpose }).meta({ id: "CreateUploadUrlInput" });

/** The form of an upload. */
export const uploadFileInput = z
  .object({ purpose, file: z.file().meta({ description: "The file. Its name is ignored." }) })
  .meta({ id: "UploadFileInput" });

/** The upload of a file to an upload URL. The URL determines its id and the purpose. */
export const uploadToUrlInput = uploadFileInput
  .extend({ uploadId: z.string().meta({ description: "The id of the upload URL." }) })
  .meta({ id: "UploadToUrlInput" });

/** A short-lived URL that accepts an upload without a key. */
export const uploadAddress = z
  .object({
    uploadUrl: z.string().meta({
      description:
        "Send the file's bytes to this URL with PUT. The response is the same as for an upload. The URL accepts one file.",
    }),
    expiresAt: z.iso.datetime().meta({ description: "When the URL expires; RFC 3339, in UTC." }),
  })
  .meta({ id: "UploadAddress" });
