export const words = {
  platform: "Platform",
  title: "Audit",
  lead: "Who did what, when and why. Entries cannot be changed unnoticed.",
  presets: {
    label: "Questions to the audit",
    all: "All",
    evidence: "Evidence opened, 24 h",
    decisions: "Decisions, 7 d",
  },
  by: (name: string) => `By ${name}`,
  about: (id: string) => `About ${id}`,
  remove: (filter: string) => `Remove the filter: ${filter}`,
  outcome: "Outcome",
  within: "When",
  list: "Audit entries",
  columns: { when: "When", who: "Who", what: "What", subject: "About" },
  why: (purpose: string) => `for ${purpose}`,
  reads: (n: number) => `${n} times`,
  reaches: (time: string) => `Read back to ${time}.`,
  since: (time: string) => `Entries before ${time} were exported and dropped.`,
  all: "That is all.",
  narrow: "This page stopped after 50,000 entries. Narrow the filters, or load more.",
  empty: "No entry matches",
  emptyText: "Widen a filter, or clear all of them. Reads of platforms are counted once a day.",
  verify: {
    button: "Verify…",
    title: "Verify the audit",
    lead: "Recomputes every hash of a platform’s audit. Closing this stops it.",
    act: "Verify",
    running: (checkpoints: string, entries: string) =>
      `${checkpoints} checkpoints, ${entries} entries so far`,
    intact: "The audit is intact.",
    broken: (n: number) =>
      n === 1 ? "1 problem: the audit was changed." : `${n} problems: the audit was changed.`,
    brokenText:
      "Keep this page, and tell security at once. “The audit” in the guide says what a problem means.",
    counts: (checkpoints: string, entries: string) => `${entries} entries under ${checkpoints} checkpoints.`,
    last: (n: number) => `Compare the hash of checkpoint ${n} with the one in your log:`,
    copy: "Copy the number and the hash",
    pending: (n: string) => `${n} entries wait for the next checkpoint.`,
    anchor: (n: number) => `It begins at checkpoint ${n}: earlier ones were exported and dropped.`,
  },
  caseFile: {
    title: "Case file",
    lead: "What happened with this record, for a case outside of the service: changes, attempts, proposals, hashes of the evidence, and each audit entry with its proof. It holds no personal data.",
    act: "Save the case file",
  },
  proof: {
    title: "Download proof",
    lead: "All entries that the filters find now, up to 5,000, each with the proof that it was not changed. It names persons by id; the CSV has the same entries, with names.",
    act: "Save the proof",
    running: "Collecting…",
    done: (name: string, entries: string) => `${name} is saved, with ${entries} entries.`,
    pending: (n: number) =>
      n === 1
        ? "1 entry is not under a checkpoint yet. Save the file again in a minute to prove it too."
        : `${n} entries are not under a checkpoint yet. Save the file again in a minute to prove them too.`,
    verify:
      "Whoever receives it verifies it offline with ops/audit/verify-case-file.mjs. An outsider takes the checkpoints from your log: those saved here show only that the file agrees with itself.",
    checkpoints: "Save the checkpoints",
    table: "Save as CSV",
    tableDone: (n: string) => `The table with ${n} entries is saved.`,
    tableCut: (n: string) => `The table has the newest ${n} entries. There are more: narrow the filters.`,
  },
} as const;
