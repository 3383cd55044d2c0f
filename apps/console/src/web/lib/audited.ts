/** What was done, in the past, by the operation that did it. */
const words = {
  acts: {
    "records.submission": "opened the evidence",
    "records.submissionFile": "looked at a picture",
    "records.restrictedReasons": "read the restricted reasons",
    "records.get": "viewed the record",
    "records.resolve": "entered a decision",
    "records.assign": "assigned the record",
    "records.addNote": "added a note",
    "records.refresh": "refreshed the record",
    "records.resend": "sent the submission again",
    "records.requeue": "requeued the record",
    "proposals.confirm": "confirmed a proposal",
    "proposals.withdraw": "withdrew a proposal",
    "proposals.get": "read a proposal",
    "users.find": "searched for a user",
    "search.find": "found the user",
    "users.show": "viewed the user",
    "users.cards": "viewed the cards",
    "users.identifiers": "saw the identifiers",
    "users.relink": "gave new identifiers",
    "users.erase": "asked for an erasure",
    "users.import": "imported the user",
    "users.export": "exported the user’s data",
    "users.exportPart": "exported a part of the user’s data",
    "users.changeEmail": "changed the e-mail",
    "holds.place": "placed a legal hold",
    "holds.lift": "lifted a legal hold",
    "kyc.submit": "submitted the documents",
    "kyc.answerRequest": "answered a request for documents",
    "kyc.get": "read the status",
    "kyc.history": "read the history",
    "files.upload": "uploaded a file",
    "files.uploadToUrl": "uploaded a file by a link",
    "files.read": "read a file",
    "webhooks.create": "created an endpoint",
    "webhooks.update": "changed an endpoint",
    "webhooks.delete": "deleted an endpoint",
    "webhooks.rotateSecret": "replaced an endpoint’s secret",
    "webhooks.test": "tested an endpoint",
    "webhooks.redeliver": "sent a delivery again",
    "webhooks.redeliverFailed": "sent failed deliveries again",
    "webhooks.redeliverMany": "sent deliveries again",
    "keys.create": "created a key",
    "keys.rotate": "replaced a key",
    "keys.revoke": "revoked a key",
    "platforms.create": "created the platform",
    "platforms.rename": "renamed the platform",
    "pauses.pauseProvider": "paused the provider",
    "pauses.pausePlatform": "paused the platform",
    "pauses.resume": "ended a pause",
    "persons.list": "read the list of persons",
    "persons.block": "blocked a person",
    "audit.caseFile": "saved a case file",
    "audit.proof": "saved a proof of the audit",
    "audit.export": "exported a month of the audit",
    "audit.drop": "dropped a month of the audit",
    "restore.check": "checked a restore",
    "sandbox.act": "acted in the sandbox",
  },
  /** What only a proposal asks for, which its confirmation carries out. */
  proposed: {
    "records.resolve": "proposed an approval",
    "users.relink": "proposed new identifiers",
    "users.erase": "proposed an erasure",
    "holds.lift": "proposed to lift a legal hold",
  },
  outcomes: {
    done: "done",
    replayed: "the earlier result again",
    SCOPE_MISSING: "refused: role or scope missing",
    PLATFORM_FORBIDDEN: "refused: other platform",
    PERSON_BLOCKED: "refused: person blocked",
    EVIDENCE_CLOSED: "refused: the evidence was closed",
  },
  other: "refused",
} as const;

/** The operations that the audit names in words. */
export const auditedActs: Readonly<Record<string, string>> = words.acts;
/** The outcomes that the audit names in words. */
export const auditedOutcomes: Readonly<Record<string, string>> = words.outcomes;

const proposed: Readonly<Record<string, string>> = words.proposed;

/** What an operation did, such as "opened the evidence"; the operation itself if it is newer than these words. */
export function actWords(operation: string, subject: string | null): string {
  const isProposal = subject?.startsWith("prop_") && proposed[operation];
  return isProposal || (auditedActs[operation] ?? operation);
}

/** How a call ended, and whether it did what it was asked for. */
export function outcomeWords(outcome: string): { text: string; good: boolean } {
  const good = outcome === "done" || outcome === "replayed";
  return { text: auditedOutcomes[outcome] ?? words.other, good };
}
