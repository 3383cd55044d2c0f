/** The words that several folders say. Functions put values into them. */
export const shared = {
  person: {
    unnamed: "Signed-in person",
    role: {
      viewer: "viewer",
      support: "support",
      compliance: "compliance",
      operator: "operator",
      administrator: "administrator",
    },
  },

  units: {
    milliseconds: (n: number) => (n < 1_000 ? `${n} ms` : `${(n / 1_000).toFixed(1)} s`),
    times: (n: number) => `${n}×`,
  },

  copy: {
    id: (id: string) => `Copy ${id}`,
    text: "Copy",
  },

  retry: "Try again",
  close: "Close",
  none: "—",
  signIn: {
    again: "Sign in again",
    tooOld: "This step needs a sign-in of the last 15 minutes.",
  },

  status: {
    attention: "Needs attention",
    approved: "Approved",
  },

  reasons: {
    DOCUMENT_UNREADABLE: "document not readable",
    DOCUMENT_EXPIRED: "document expired",
    DOCUMENT_UNSUPPORTED: "document not accepted",
    DOCUMENT_MISMATCH: "document differs from the data",
    SELFIE_UNREADABLE: "selfie not readable",
    SELFIE_MISMATCH: "selfie shows another person",
    NAME_MISMATCH: "name differs",
    BIRTHDAY_MISMATCH: "birthday differs",
    ADDRESS_MISMATCH: "address differs",
    SUPPORTING_DOCUMENT_MISSING: "supporting document missing",
    SUPPORTING_DOCUMENT_INSUFFICIENT: "supporting document not sufficient",
    SUPPORTING_DOCUMENT_OUTDATED: "supporting document too old",
    FILE_UNREACHABLE: "file not reachable",
    FILE_TYPE_UNSUPPORTED: "file type not accepted",
    UNDER_AGE: "person too young",
    COUNTRY_UNSUPPORTED: "country not served",
    OTHER: "another reason",
  },

  queue: {
    any: "any",
    over: "over SLA",
    near: "near SLA",
    more: "Load more",
    loading: "Loading…",
  },

  record: {
    result: {
      unchanged: "Nothing changed.",
      changed: (before: string, after: string) => `${before} → ${after}`,
      notStored: "The reply came too late to be stored: another attempt has the record. Refresh again.",
      asked: (reply: string) => `Asked: ${reply}.`,
      sent: (reply: string) => `Sent: ${reply}.`,
      unsent: (why: string) => `Nothing was sent: ${why}.`,
      askAgain: "Nothing was sent yet: one more such reply is required. Send it again in a minute.",
      requeued: "Workers try it again now.",
    },
    /** The name of a document type, also of one that is newer than these words. */
    document: (type: string) => (type.charAt(0) + type.slice(1).toLowerCase()).replaceAll("_", " "),
    /** The state of the document of an approval. */
    expiry: {
      valid: "Valid",
      expiring: "Expires soon",
      expired: "Expired",
      permanent: "Never expires",
      unknown: "No known date",
    },
  },

  users: {
    erasure: { none: "active", requested: "erasure requested", erased: "erased" },
    held: "legal hold",
  },

  pauses: {
    commandLine: "the command line",
  },

  platforms: {
    internal: "Internal apps",
  },

  apiKeys: {
    overlapOf: {
      0: "no longer: it ends at once",
      1: "for 1 hour",
      24: "for 24 hours",
      168: "for 7 days",
      720: "for 30 days",
    },
  },

  errors: {
    requestId: "Request",
    unexpected: "Something went wrong on our side",
    unexpectedText: "Try again. If it stays, report it with the request id.",
    unavailable: "The service does not answer",
    unavailableText: "It may restart or be overloaded. Try again in a minute.",
    offline: "No connection",
    offlineText: "Check your network. The page tries again by itself.",
    paused: "An operator paused this",
    pausedText: "It works again when the pause ends. The banner above says until when.",
    refused: "You may not see this. Ask an administrator for a role that may.",
    limited: "Too many calls at once",
    limitedText: "Wait a few seconds, then try again.",
    narrow: "The filters do not work together",
    missing: "This is not there",
    missingText: "It does not exist any more, or you may not see it.",
    conflict: "It has changed meanwhile",
    conflictText: "Read it again, and look at what is different.",
  },

  /** What several acts have in common. */
  acts: {
    cancel: "Cancel",
  },

  purpose: {
    short: {
      review: "review",
      fraud: "suspected fraud",
      person: "a request of the person",
      authority: "a request of an authority",
      quality: "a quality check",
    },
  },

  evidence: {
    copy: (name: string) => `Copy: ${name}`,
    // In the order of the page: what a reviewer compares with the document comes first.
    fields: {
      name: "Name",
      birthday: "Birthday",
      gender: "Gender",
      nationality: "Nationality",
      documentType: "Document",
      documentNumber: "Document number",
      documentCountry: "Document country",
      documentExpiryDate: "Document expires",
      contactAddress: "Address",
      email: "E-mail",
      phoneNumber: "Telephone",
      occupation: "Occupation",
      position: "Position",
      annualIncome: "Annual income",
      memberId: "Member id",
    },
    /** The file of a field of the submission. */
    file: (field: string) =>
      field.startsWith("front")
        ? "Document, front"
        : field.startsWith("back")
          ? "Document, back"
          : field.startsWith("selfie")
            ? "Selfie"
            : "Supporting document",
  },

  decision: {
    enter: "Enter the decision",
    outcomeOf: {
      approved: "Approved",
      rejected: "Rejected",
      pending_approval: "In review",
      not_submitted: "Incomplete",
      refused: "Refused",
    },
  },

  proposals: {
    happens: {
      approve: (id: string, platform: string) =>
        `${id} becomes approved, and ${platform} is told at once. You cannot take it back: only a later decision of the provider replaces it.`,
      relink: (id: string, platform: string) =>
        `${id} of ${platform} gets the new identifiers at once. The former ones no longer find this person.`,
      erase: (id: string, platform: string) =>
        `The personal data of ${id} of ${platform} is erased for ever, as soon as all verifications have an answer and no legal hold remains. Nobody can bring it back.`,
      liftHold: (id: string, platform: string) =>
        `The hold on ${id} of ${platform} ends for ever. What it protected may be erased or deleted within two minutes.`,
    },
  },
} as const;
