import { basePath } from "../../src/config/paths.ts";
import type { Fetch } from "./call.ts";

/** Creates an endpoint over REST, and a delivery to it. */
export async function createdEndpoint({ fetch, key }: { fetch: Fetch; key: string }) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = async (path: string, body: object) =>
    (await fetch(basePath + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const endpoint = { url: "https://hooks.example.com/", eventTypes: ["card.updated"] };
  const { endpointId } = (await post("/webhooks", endpoint)) as { endpointId: string };
  const { deliveryId } = (await post(`/webhooks/${endpointId}/test`, {})) as { deliveryId: string };
  return { endpointId, deliveryId };
}
