import { verifyWebhook, WebhookVerificationError } from "@cardbridge/client";
import express from "express";

/** Receives webhooks. If the inbox fails, the response is 500, and cardbridge sends the event again. */
export function createApp(secrets, inbox) {
  const app = express();
  // No parser may run first: the signature covers the raw bytes.
  app.post("/webhooks", express.raw({ type: "*/*", limit: 65_536 }), async (request, response) => {
    const event = await verifyWebhook(request.body, request.headers, secrets);
    await inbox.add(event);
    response.sendStatus(204);
  });
  app.use((error, _request, response, _next) => {
    if (error instanceof WebhookVerificationError) return response.status(400).send(error.reason);
    if (error.status) return response.sendStatus(error.status);
    console.error(error);
    response.sendStatus(500);
  });
  return app;
}
