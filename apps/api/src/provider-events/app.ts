import { type EventReader, Failure } from "@cardbridge/domain";
import type { Operations, Ports } from "@cardbridge/operations";
import { Hono } from "hono";
import type { HttpEnv } from "../middleware/context.ts";
import { providerCall } from "../middleware/provider-call.ts";
import { readBody } from "../middleware/read-body.ts";

interface Options {
  reader: EventReader;
  operations: {
    cards: Pick<Operations["cards"], "recordProviderUpdate">;
    kyc: Pick<Operations["kyc"], "recordProviderUpdate" | "askNow">;
  };
  ports: Ports;
}

/**
 * Receives the provider's signed events at POST /provider/events. Events may arrive repeatedly, late and in any order.
 * The accepted status means that the event is stored or irrelevant.
 */
export function createEventsApp({ reader, operations, ports }: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post("/", async (c) => {
    const bytes = await readBody(c);
    const event = reader.read(c.req.raw.headers, bytes.toString());
    switch (event.kind) {
      case "unsigned":
        throw new Failure("UNAUTHENTICATED");
      case "unreadable":
        throw new Failure("MALFORMED_REQUEST");
      case "other":
        return c.body(null, reader.acceptedStatus);
      case "kyc": {
        const { kind: _, ...update } = event;
        await operations.kyc.recordProviderUpdate.execute(ports, providerCall(c), update);
        return c.body(null, reader.acceptedStatus);
      }
      case "card": {
        const { kind: _, ...update } = event;
        await operations.cards.recordProviderUpdate.execute(ports, providerCall(c), update);
        return c.body(null, reader.acceptedStatus);
      }
      case "ask":
        await operations.kyc.askNow.execute(ports, providerCall(c), event.about);
        return c.body(null, reader.acceptedStatus);
    }
  });
  return app;
}
