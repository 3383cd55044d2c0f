import { type Environment, environmentHeader } from "@cardbridge/domain";

/**
 * The default headers of every response. They forbid loading, framing and scripts, and disable caches, because
 * responses contain personal data.
 */
export const defaultHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=15552000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
  "cache-control": "no-store",
};

/** The default headers, and the environment of the service (gap G36). */
export function headersOf(environment: Environment): Readonly<Record<string, string>> {
  return { ...defaultHeaders, [environmentHeader]: environment };
}
