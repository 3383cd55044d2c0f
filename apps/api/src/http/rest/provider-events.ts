import { type EventReader, Failure, internalPlatformId, type ProviderEvent } from "@cardbridge/domain";
import {
  type Ports,
  pass,
  recordCardUpdate,
  recordProviderUpdate,
  recordRequestEvent,
  requeueRecord,
  storeLookup,
} from "@cardbridge/service";
import { Hono } from "hono";
import type { FairSemaphore } from "../../admission/fair-semaphore.ts";
import { addressOf } from "../../admission/head.ts";
import { maxBodyMs, maxEventBytes } from "../../config/limits.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { readBody } from "../middleware/read-body.ts";

interface Options {
  reader: EventReader;
  ports: Ports;
  /** The slots of bodies by caller address, and those of the provider's own requests, which no platform can use. */
  slots: Record<"event-bodies" | "provider-requests", Pick<FairSemaphore, "run">>;
}

const limits = { maxBytes: maxEventBytes, maxMs: maxBodyMs };

/**
 * Receives the provider's signed events at POST /provider/events. Events may arrive repeatedly, late and in any order.
 * The accepted status means that the event is stored or irrelevant. Anybody can send requests here, so the signature is
 * verified before anything else is done with the body.
 */
export function createEventsApp({ reader, ports, slots }: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post("/", async (c) => {
    if (!reader.signedHeaders.every((name) => c.req.header(name))) throw new Failure("UNAUTHENTICATED");
    const address = addressOf(c.env?.incoming?.socket) ?? "";
    const bytes = await slots["event-bodies"].run(address, () => readBody(c, limits));
    const event = reader.read(c.req.raw.headers, bytes.toString());
    const work = workOf(event, ports);
    if (work) await slots["provider-requests"].run(internalPlatformId, work);
    return c.body(null, reader.acceptedStatus);
  });
  return app;
}

/**
 * The work that an event requires; undefined for an event of another type.
 * @throws Failure UNAUTHENTICATED, MALFORMED_REQUEST
 */
function workOf(event: ProviderEvent, ports: Ports): (() => Promise<void>) | undefined {
  switch (event.kind) {
    case "unsigned":
      throw new Failure("UNAUTHENTICATED");
    case "unreadable":
      throw new Failure("MALFORMED_REQUEST");
    case "other":
      return undefined;
    case "kyc":
      return () => pass(ports, "kyc.recordProviderUpdate", () => recordProviderUpdate(ports, event));
    case "card":
      return () => pass(ports, "cards.recordProviderUpdate", () => recordCardUpdate(ports, event));
    case "request":
      return () =>
        pass(ports, "kyc.recordRequest", () =>
          recordRequestEvent(ports, { ...event, requests: [event.request] }),
        );
    case "ask":
      return () => pass(ports, "kyc.requeue", () => requeueRecord(ports, event.about));
    case "lookup":
      return () => pass(ports, "kyc.storeLookup", () => storeLookup(ports, event.id));
  }
}
