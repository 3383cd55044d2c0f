import { Failure, type Violation } from "@cardbridge/domain";

/** The failure of a malformed request, with the violated rule and the header that violates it, if one does. */
export function malformed(rule: string, message: string, header?: string): Failure {
  const violation = { path: [], rule, message, ...(header === undefined ? {} : { header }) };
  return new Failure("MALFORMED_REQUEST", { violations: [violation] });
}

/**
 * Checks the headers of a body: its type, which `wanted` describes, and that it is not encoded.
 * @throws Failure UNSUPPORTED_MEDIA_TYPE.
 */
export function requireMediaType(isSupported: boolean, wanted: string, encoding: string | undefined): void {
  const violations: Violation[] = [];
  if (!isSupported) {
    const message = `Send Content-Type: ${wanted}.`;
    violations.push({ path: [], header: "Content-Type", rule: "content-type", message });
  }
  if (encoding !== undefined) {
    const message = "Send the body without a Content-Encoding.";
    violations.push({ path: [], header: "Content-Encoding", rule: "content-encoding", message });
  }
  if (violations.length > 0) throw new Failure("UNSUPPORTED_MEDIA_TYPE", { violations });
}

/** The failure of a body or a file that is larger than its limit in bytes. */
export function tooLarge(maxBytes: number): Failure {
  const message = `Send at most ${maxBytes} bytes.`;
  return new Failure("PAYLOAD_TOO_LARGE", { violations: [{ path: [], rule: "max-bytes", message }] });
}
