import type { configurations } from "./configurations.ts";
import type { Nature } from "./model/model.ts";
import { isFinal, type Rules, rules } from "./model/rules.ts";

interface Variant {
  /** The promise that the search finds broken. */
  breaks: string;
  /** Where it is found. With a provider that executes a reference once, half of them cannot be seen. */
  configuration: keyof typeof configurations;
  nature: Nature;
  rules: Partial<Rules>;
}

/** Wrong protocols. Each breaks one promise first, so a search that does not find it would prove nothing. */
export const variants: Record<string, Variant> = {
  "an attempt stores its reply without owning the record": {
    breaks: "each record gets the provider's last decision",
    configuration: "events",
    nature: "unordered",
    rules: { mayStore: () => true },
  },
  "an attempt after an expired lease sends without asking": {
    breaks: "a submission is executed once",
    configuration: "submission",
    nature: "unordered",
    rules: { lease: (record) => ({ ...record, leased: true }) },
  },
  "an unknown outcome is sent again without asking": {
    breaks: "a submission is executed once",
    configuration: "submission",
    nature: "unordered",
    rules: {
      plan: (attempt, reply) =>
        reply.outcome === "unknown" ? { step: "send", notFound: 0 } : rules.plan(attempt, reply),
    },
  },
  "one reply of not-found is enough to send again": {
    breaks: "a submission is executed once",
    configuration: "submission",
    nature: "unordered",
    rules: {
      plan: (attempt, reply) =>
        reply.outcome === "not-found" ? { step: "send", notFound: 1 } : rules.plan(attempt, reply),
    },
  },
  "a submission is compared with the latest record only": {
    breaks: "a submission becomes one record",
    configuration: "submission",
    nature: "ordered",
    rules: {
      decide: (db, body, key) => rules.decide({ ...db, records: db.records.slice(-1) }, body, key),
    },
  },
  "a used key is not looked up": {
    breaks: "a key leads to one record",
    configuration: "submission",
    nature: "ordered",
    rules: { decide: (db, body, key) => rules.decide({ ...db, keys: [] }, body, key) },
  },
  "a submission is never sent again": {
    breaks: "each record is resolved when the faults end",
    configuration: "submission",
    nature: "ordered",
    rules: { plan: (attempt, reply) => ({ ...rules.plan(attempt, reply), step: "ask" }) },
  },
  "a pending verdict is the last one": {
    breaks: "a record that is not final is due, or waits for a person",
    configuration: "events",
    nature: "ordered",
    rules: { write: (record) => ({ ...rules.write(record), due: false }) },
  },
  "an answered record is sent again": {
    breaks: "a submission is executed once",
    configuration: "events",
    nature: "unordered",
    rules: { stepOf: ({ step }) => step, write: (record) => ({ ...rules.write(record), step: "send" }) },
  },
  "an earlier decision replaces a later one": {
    breaks: "each record gets the provider's last decision",
    configuration: "events",
    nature: "ordered",
    rules: { apply: (record, verdict) => rules.apply({ ...record, revision: null }, verdict) },
  },
  "a final status is never replaced": {
    breaks: "each record gets the provider's last decision",
    configuration: "events",
    nature: "ordered",
    rules: { apply: (record, verdict) => (isFinal(record) ? record : rules.apply(record, verdict)) },
  },
  "a late pending status replaces a decision": {
    breaks: "a pending status never replaces a final one",
    configuration: "events",
    nature: "ordered",
    rules: {
      apply: (record, verdict) =>
        verdict.outcome === "answered" && verdict.status === "review"
          ? { ...record, resolution: "answered", status: "review", revision: verdict.revision }
          : rules.apply(record, verdict),
    },
  },
  "a change has no history row": {
    breaks: "each change has its history row",
    configuration: "events",
    nature: "ordered",
    rules: { write: (record) => ({ ...rules.write(record), row: record.row }) },
  },
  "a confirmation does not look at the version": {
    breaks: "a confirmation is about what its proposer saw",
    configuration: "people",
    nature: "ordered",
    rules: {
      mayConfirm: () => true,
      decideManually: (record, status) => ({ ...record, resolution: "answered", status, revision: null }),
    },
  },
  "a person sends again after one reply of not-found": {
    breaks: "a submission is executed once",
    configuration: "people",
    nature: "unordered",
    rules: { mayResend: ({ resolution }) => resolution === "unresolved" },
  },
  "an event leaves the attempt under way the record": {
    breaks: "each record gets the provider's last decision",
    configuration: "events",
    nature: "unordered",
    rules: { fencesAtEvents: () => false },
  },
  "a person's decision cancels the query that is due": {
    breaks: "each record gets the provider's last decision",
    configuration: "people",
    nature: "unordered",
    rules: { keepsDue: () => false },
  },
  "an answer is sent again without asking twice": {
    breaks: "an answer is taken once",
    configuration: "requests",
    nature: "unordered",
    rules: { claimsAnswer: () => true },
  },
  "an answer whose outcome is unknown is never sent again": {
    breaks: "the provider gets every answer",
    configuration: "requests",
    nature: "unordered",
    rules: { claimsAnswer: (attempted) => !attempted },
  },
  "a declined renewal ends the approval": {
    breaks: "an approval stands until a later one, or until the provider revokes it",
    configuration: "renewal",
    nature: "ordered",
    rules: {
      write: (record) =>
        rules.write({
          ...record,
          wasApproved: record.wasApproved || (record.renews !== null && isFinal(record)),
        }),
    },
  },
  "a restore forgets what the provider lists": {
    breaks: "a submission becomes one record",
    configuration: "restore",
    nature: "ordered",
    rules: { adopts: () => undefined },
  },
};
