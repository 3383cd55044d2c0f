import { verifyWebhook, WebhookVerificationError } from "@cardbridge/client";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";

/** Receives webhooks. If the inbox fails, the response is 500, and cardbridge sends the event again. */
export function createApp(secrets, inbox) {
  const app = new Hono();
  app.post("/webhooks", bodyLimit({ maxSize: 65_536 }), async (context) => {
    const event = await verifyWebhook(await context.req.arrayBuffer(), context.req.raw.headers, secrets);
    await inbox.add(event);
    return context.body(null, 204);
  });
  app.onError((error, context) => {
    if (error instanceof WebhookVerificationError) return context.text(error.reason, 400);
    if (error instanceof HTTPException) return error.getResponse();
    console.error(error);
    return context.text("internal error", 500);
  });
  return app;
}
