import { webhookPayloads } from "@cardbridge/domain";
import { idOf } from "./schemas.ts";

/** The headers of every delivery (Standard Webhooks 1.0.0). */
const headers = [
  {
    name: "webhook-id",
    description: "The event's id, the same at every attempt: ignore an id that you have processed.",
    example: "msg_01jexample0000000000000000",
  },
  {
    name: "webhook-timestamp",
    description:
      "When this attempt was sent, in seconds since 1970. Refuse attempts older than five minutes.",
    example: "1769860801",
  },
  {
    name: "webhook-signature",
    description:
      "One or more signatures with a space between them, each `v1,` and the base64 of an HMAC-SHA256 with the " +
      "endpoint's secret over `webhook-id.webhook-timestamp.body`. One matching signature is enough.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
];

/** The `webhooks` of the document: every type of event that an endpoint receives (gap G32). */
export function webhookItems(): Record<string, object> {
  return Object.fromEntries(
    webhookPayloads.map(({ type, summary, schema, example }) => [
      type,
      {
        post: {
          operationId: `webhooks.on.${type}`,
          summary,
          description: description(type),
          tags: ["Webhooks"],
          "x-documented": false,
          security: [],
          parameters: headers.map(({ example, ...header }) => ({
            ...header,
            in: "header",
            required: true,
            schema: { type: "string" },
            example,
          })),
          requestBody: {
            description:
              "JSON in UTF-8, below 20 KB. Verify the signature over its bytes before you parse it.",
            required: true,
            content: {
              "application/json": {
                schema: { $ref: `#/components/schemas/${idOf(schema)}` },
                examples: { event: { value: example } },
              },
            },
          },
          responses: {
            "2XX": { description: "The event is received. The body is not read beyond its first bytes." },
            "410": { description: "The endpoint is disabled, and receives no more events." },
            default: {
              description: "The attempt failed, also for a redirect. It is retried for three days.",
            },
          },
        },
      },
    ]),
  );
}

function description(type: string): string {
  return `cardbridge sends \`${type}\` to your endpoint. Respond within 15 seconds, and do the work afterwards.`;
}
