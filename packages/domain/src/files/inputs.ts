import * as z from "zod";
import { filePurpose } from "./file.ts";

const purpose = filePurpose.meta({ description: "Which field of a submission the file is for." });

/** What an upload says, beside the file itself. */
export const createUploadUrlInput = z.object({ purpose }).meta({ id: "CreateUploadUrlInput" });

/** An upload as a form. */
export const uploadFileInput = z
  .object({ purpose, file: z.file().meta({ description: "The file itself; its name is ignored." }) })
  .meta({ id: "UploadFileInput" });

/** Where one file may be sent for a short while, without a key. */
export const uploadAddress = z
  .object({
    uploadUrl: z
      .string()
      .meta({ description: "Send the file's bytes here with PUT; the answer is the file." }),
    expiresAt: z.iso.datetime().meta({ description: "Until when; RFC 3339, in UTC." }),
  })
  .meta({ id: "UploadAddress" });
