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
  const path = "/v1/acts";
  const body = JSON.stringify({ key: randomUUID(), ...act });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hash = createHash("sha256").update(body).digest("hex");
  const { clientId, clientSecret } = sandboxCredentials;
  const signature = createHmac("sha256", clientSecret)
    .update([timestamp, "POST", path, "", hash].join("\n"))
    .digest("hex");
  const response = await fetch(`${sandboxUrl}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-client-id": clientId,
      "x-timestamp": timestamp,
      "x-signature": `v1=${signature}`,
    },
    body,
  });
  if (response.status !== 200) throw new Error(`The act ${act.act} got ${response.status}.`);
}
