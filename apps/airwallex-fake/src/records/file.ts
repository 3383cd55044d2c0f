import { createHash } from "node:crypto";

/** An uploaded file, without its bytes. */
export interface StoredFile {
  file_id: string;
  filename: string;
  notes?: string;
  /** Bytes. */
  size: number;
  /** Seconds since 1970. */
  created: number;
  /** Detected from the first bytes. */
  type: string;
  sha256: string;
}

const signatures = [
  { type: "image/jpeg", bytes: "ffd8ff" },
  { type: "image/png", bytes: "89504e470d0a1a0a" },
  { type: "application/pdf", bytes: "255044462d" },
];

/** The type of a file by its first bytes. Undefined for a type that is not accepted. */
export function typeOf(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 8).toString("hex");
  return signatures.find((signature) => start.startsWith(signature.bytes))?.type;
}

/** The SHA-256 of a file in hex. */
export function sha256Of(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
