import { Failure } from "@cardbridge/domain";

/** The rules for files. Each message tells the caller what to do. */
export const fileMessages = {
  "file-empty": "The file is empty; send its bytes.",
  "file-type":
    "Send a JPEG, PNG or WebP image, and a HEIC image as JPEG; a supporting document may also be a PDF.",
  "file-purpose": "Send a JPEG, PNG or WebP image; only a supporting document may be a PDF.",
  "file-pixels": "Send an image with fewer pixels, or as a JPEG that is not progressive.",
  "file-too-complex": "The image takes too much time or memory to read; save it as a JPEG and send the JPEG.",
  "file-broken": "The file is truncated or damaged; save it or take the photo again, and send the new file.",
  "pdf-encrypted": "Send the PDF without a password or any other protection.",
  "pdf-active":
    "Send the PDF without scripts, automatic actions, forms that send data, media, attachments, layers and links to files; print it to a new PDF, or send its pages as images.",
  "pdf-too-complex": "The PDF is too complex; print it to a new PDF, or send its pages as images.",
  "file-infected": "The virus scanner found a threat in the file; send a clean file.",
} as const;

export type FileRule = keyof typeof fileMessages;

/** The INVALID_INPUT failure for a file that violates a rule. */
export function fileViolation(rule: FileRule, cause?: unknown): Failure {
  return new Failure("INVALID_INPUT", {
    violations: [{ path: ["file"], rule, message: fileMessages[rule] }],
    cause,
  });
}
