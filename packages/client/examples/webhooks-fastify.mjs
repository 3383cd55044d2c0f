import { verifyWebhook, WebhookVerificationError } from "@cardbridge/client";
import fastify from "fastify";

/** Receives webhooks. If the inbox fails, the response is 500, and cardbridge sends the event again. */
export function createApp(secrets, inbox) {
  const app = fastify({ bodyLimit: 65_536 });
  // In its own plugin, so that Fastify still parses the bodies of other routes.
  app.register(async (webhooks) => {
    webhooks.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request, body) => body);
    webhooks.post("/webhooks", async (request, reply) => {
      const event = await verifyWebhook(request.body, request.headers, secrets);
      await inbox.add(event);
      return reply.code(204).send();
    });
    webhooks.setErrorHandler((error, _request, reply) => {
      if (error instanceof WebhookVerificationError) return reply.code(400).send(error.reason);
      if (error.statusCode) return reply.code(error.statusCode).send();
      console.error(error);
      return reply.code(500).send();
    });
  });
  return app;
}
