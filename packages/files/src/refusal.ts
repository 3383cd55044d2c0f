import { Failure } from "@cardbridge/domain";

/** Every rule that a file can break, with what to do. */
const rules = {
  "file-empty": "The file is empty; send its bytes.",
  "file-type":
    "Send a JPEG, PNG or WebP picture, and a HEIC picture as JPEG; a supporting document may also be a PDF.",
  "file-purpose": "Send a JPEG, PNG or WebP picture; only a supporting document may be a PDF.",
  "file-pixels": "Send a picture with fewer pixels.",
  "file-broken": "The file is cut off or damaged; save or take it anew and send that.",
  "pdf-encrypted": "Send the PDF without a password or any other protection.",
  "pdf-active": "Send the PDF without scripts, automatic actions, forms that send, media and attached files.",
  "pdf-too-complex": "The PDF takes too much to read; print it to a new PDF, or send its pages as pictures.",
  "file-infected": "The virus scanner refuses the file; send a clean one.",
} as const;

export type FileRule = keyof typeof rules;

/** The failure of a file that breaks a rule. */
export function refusal(rule: FileRule, cause?: unknown): Failure {
  return new Failure("INVALID_INPUT", {
    violations: [{ path: ["file"], rule, message: rules[rule] }],
    cause,
  });
}
