import type { RecordDetails } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { kycRecords } from "./schema.ts";

/** What operators see of the document's expiry and of the renewal, as `toKycReading` gives it to platforms. */
export const renewalFields = {
  documentExpiry: sql<
    RecordDetails["documentExpiry"]
  >`case when ${kycRecords.status} = 'APPROVED' then coalesce(${kycRecords.documentExpiry}, 'unknown') end`,
  renews: kycRecords.renews,
};
