import { createHash, createHmac } from "node:crypto";

export const clientId = "a-client";
export const clientSecret = "a-secret";

/** The signature headers of a request (provider contract, section Signature). `seconds` count since 1970. */
export function sign(method: string, target: string, body: string, seconds: number, secret = clientSecret) {
  const [path, query = ""] = target.split("?");
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const lines = [String(seconds), method, path, query, bodyHash].join("\n");
  return {
    "x-client-id": clientId,
    "x-timestamp": String(seconds),
    "x-signature": `v1=${createHmac("sha256", secret).update(lines).digest("hex")}`,
  };
}
