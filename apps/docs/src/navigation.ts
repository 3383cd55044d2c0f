/** A part of the site for one kind of reader. */
export interface Section {
  /** The first part of the addresses of its pages, and the folder of its sources below docs. */
  folder: string;
  title: string;
  groups: readonly Group[];
}

/** Pages below one heading of the sidebar. A group without a title has no heading. */
export interface Group {
  title?: string;
  /** The names of the pages, in the order of reading: `kyc` is docs/platforms/kyc.md. */
  pages: readonly string[];
  /** Whether the sidebar shows it closed. */
  collapsed?: boolean;
}

/** The site's sections and pages, in the order of reading. The operations follow from the declarations. */
export const sections: readonly Section[] = [
  {
    folder: "platforms",
    title: "Platforms",
    groups: [
      { title: "Start", pages: ["quick-start"] },
      { title: "Guides", pages: ["kyc", "files", "cards", "webhooks"] },
      { title: "Behaviour", pages: ["errors", "retries"] },
      { title: "Going live", pages: ["sandbox", "mcp", "going-live"] },
      { title: "Appendix", pages: ["decisions"] },
    ],
  },
  {
    folder: "operate",
    title: "Operators",
    groups: [
      { title: "Run", pages: ["install", "configuration", "command-line", "airwallex"] },
      { title: "Several machines", pages: ["high-availability", "pgbouncer", "sizing"] },
      { title: "Day by day", pages: ["runbook", "pauses", "search", "upgrade"] },
      { title: "Data", pages: ["backup", "restore-check", "retention", "data-subjects"] },
      { title: "People", pages: ["console", "persons", "evidence", "four-eyes", "audit"] },
      { title: "Security", pages: ["security"] },
      { title: "Providers", pages: ["providers/cardbridge", "providers/airwallex"] },
    ],
  },
  {
    folder: "contribute",
    title: "Contributors",
    groups: [
      { title: "Code", pages: ["architecture", "development", "adding-an-operation", "provider-contract"] },
      { title: "Quality", pages: ["tests", "dependencies", "reliability", "performance"] },
    ],
  },
];
