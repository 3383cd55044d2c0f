import { createHash, createHmac } from "node:crypto";

export interface SignedRequest {
  method: "GET" | "PUT";
  /** As sent, with the base path and without the query. */
  path: string;
  /** As sent, without `?`. Empty if there is no query. */
  query: string;
  body?: Uint8Array | undefined;
}

interface SignerOptions {
  clientId: string;
  clientSecret: string;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

/** Returns the signature headers of one attempt. They contain the time, so each attempt is signed again. */
type Signer = (request: SignedRequest) => Record<string, string>;

const emptyBodyHash = sha256("");

/** Creates the signer of a client (provider contract, section Signature). */
export function createSigner({ clientId, clientSecret, now }: SignerOptions): Signer {
  return ({ method, path, query, body }) => {
    const timestamp = String(Math.floor(now() / 1000));
    const bodyHash = body === undefined ? emptyBodyHash : sha256(body);
    const signed = [timestamp, method, path, query, bodyHash].join("\n");
    const signature = createHmac("sha256", clientSecret).update(signed).digest("hex");
    return { "x-client-id": clientId, "x-timestamp": timestamp, "x-signature": `v1=${signature}` };
  };
}

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
