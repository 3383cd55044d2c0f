import { createHash, createHmac } from "node:crypto";

/* The part of the provider's contract that every contestant needs: docs/contribute/provider-contract.md. */
const clientId = "cardbridge-bench";
const clientSecret = "a-secret-for-benchmarks-only";

export const credentials = { PROVIDER_CLIENT_ID: clientId, PROVIDER_CLIENT_SECRET: clientSecret };

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const hashOfNothing = sha256("");

/** The headers of one signed call. */
export function sign(method, path, query, body) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const bodyHash = body === undefined ? hashOfNothing : sha256(body);
  const text = [timestamp, method, path, query, bodyHash].join("\n");
  const signature = createHmac("sha256", clientSecret).update(text).digest("hex");
  return { "x-client-id": clientId, "x-timestamp": timestamp, "x-signature": `v1=${signature}` };
}
