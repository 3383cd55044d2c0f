import { Failure } from "@cardbridge/domain";

/** The failure of a malformed request, with the violated rule. */
export function malformed(rule: string, message: string): Failure {
  return new Failure("MALFORMED_REQUEST", { violations: [{ path: [], rule, message }] });
}

/** The failure of an unsupported or compressed body. It names the type that the route reads. */
export function unsupportedMediaType(wanted: string): Failure {
  const message = `Send Content-Type: ${wanted}, without a Content-Encoding.`;
  return new Failure("UNSUPPORTED_MEDIA_TYPE", {
    violations: [{ path: ["Content-Type"], rule: "content-type", message }],
  });
}

/** The failure of a body or a file that is larger than its limit in bytes. */
export function tooLarge(maxBytes: number): Failure {
  const message = `Send at most ${maxBytes} bytes.`;
  return new Failure("PAYLOAD_TOO_LARGE", { violations: [{ path: [], rule: "max-bytes", message }] });
}
