import { Failure, isReversal, type KycRecords, type Observer } from "@cardbridge/domain";
import type { EventReader } from "@cardbridge/provider";
import { Hono } from "hono";
import type { HttpEnv } from "../middleware/context.ts";
import { readBody } from "../middleware/read-body.ts";

interface Options {
  reader: EventReader;
  kycRecords: Pick<KycRecords, "recordProviderUpdate">;
  observer: Observer;
}

/**
 * Takes the provider's signed events at POST /provider/events. They may come twice, late and in any order:
 * the record tells what is new. An event is taken with 204 only when what it says is in the database.
 */
export function createEventsApp({ reader, kycRecords, observer }: Options): Hono<HttpEnv> {
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
        return c.body(null, 204);
      case "kyc": {
        const learned = await kycRecords.recordProviderUpdate(event, event.verdict);
        if (!learned) {
          observer.observe("provider_foreign_answer", { operation: "event", reason: "foreign" });
          throw new Failure("KYC_RECORD_NOT_FOUND");
        }
        const { kycRecordId } = learned.record;
        if (isReversal(learned.before, learned.record))
          observer.observe("kyc_final_reversed", { kycRecordId });
        return c.body(null, 204);
      }
    }
  });
  return app;
}
