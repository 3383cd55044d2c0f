import { expect, it } from "vitest";
import { filterOfId, toAuditInput, validateAuditSearch } from "../../src/web/audit/filter.ts";
import { toDeliveryFilter, validateDeliveriesSearch } from "../../src/web/webhooks/filter.ts";

const now = Date.parse("2027-01-31T12:00:42.000Z");

it("lets no e-mail and no free text from an address into a filter", () => {
  const raw = { subject: "ada@example.com", person: "Ada Okafor", record: "a b", endpoint: "<b>" };
  expect(validateAuditSearch(raw)).toEqual({});
  expect(validateDeliveriesSearch({ ...raw, status: "late", type: "x" })).toEqual({});
});

it("reads an id as the filter that it names", () => {
  expect(filterOfId("per_1")).toEqual({ person: "per_1" });
  expect(filterOfId("key_1")).toEqual({ key: "key_1" });
  expect(filterOfId("kyc_1")).toEqual({ subject: "kyc_1" });
  expect(filterOfId("")).toEqual({});
});

it("sends the filters in the service's words", () => {
  const search = validateAuditSearch({ person: "per_1", operation: "records.submission", within: "24h" });
  expect(toAuditInput(search, now)).toEqual({
    personId: "per_1",
    operation: "records.submission",
    after: "2027-01-30T12:00:00.000Z",
  });
  const endpoint = { platformId: "plt_1", endpointId: "whe_1" };
  expect(toDeliveryFilter(endpoint, { status: "failed", within: "1h" }, now)).toEqual({
    platformIds: ["plt_1"],
    endpointId: "whe_1",
    createdAfter: "2027-01-31T11:00:00.000Z",
  });
});
