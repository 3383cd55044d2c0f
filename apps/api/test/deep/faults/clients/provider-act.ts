import { createHash, createHmac, randomUUID } from "node:crypto";
import { sandboxCredentials } from "../../../../src/config/development-secrets.ts";

interface Act {
  act: "approve" | "reject" | "ask-document";
  reference: string;
  userReference: string;
  documentType?: string;
}

/** Makes the sandbox act as a provider's staff. @throws Error unless it does. */
export async function actAtProvider(sandboxUrl: string, act: Act): Promise<void> {
  await callProvider(sandboxUrl, "/v1/acts", JSON.stringify({ key: randomUUID(), ...act }));
}

/** Sends a signed call to the sandbox: a POST with a body, otherwise a GET. @throws Error for a status other than 200. */
export async function callProvider(sandboxUrl: string, path: string, body?: string): Promise<unknown> {
  const method = body === undefined ? "GET" : "POST";
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hash = createHash("sha256")
    .update(body ?? "")
    .digest("hex");
  const { clientId, clientSecret } = sandboxCredentials;
  const signature = createHmac("sha256", clientSecret)
    .update([timestamp, method, path, "", hash].join("\n"))
    .digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-client-id": clientId,
    "x-timestamp": timestamp,
    "x-signature": `v1=${signature}`,
  };
  const response = await fetch(`${sandboxUrl}${path}`, { method, headers, body: body ?? null });
  if (response.status !== 200) throw new Error(`${method} ${path} got ${response.status}.`);
  return response.json();
}
