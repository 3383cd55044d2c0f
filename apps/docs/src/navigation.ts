import { posix } from "node:path";

/** A part of the site for one kind of reader. */
export interface Section {
  /** The first part of the addresses of its pages, and the folder of its sources below docs. */
  folder: string;
  title: string;
  groups: readonly Group[];
}

/** Pages below one heading of the sidebar. A group without a title has no heading. */
interface Group {
  title?: string;
  /** The names of the pages, in the order of reading: `kyc` is docs/platforms/kyc.md. One may be in another folder. */
  pages: readonly string[];
}

/** The slug of a page. The platforms' overview is the first page of the site. The README of a folder has the folder's slug. */
export const slugOf = (folder: string, name: string): string =>
  folder === "platforms" && name === "overview" ? "" : posix.join(folder, name).replace(/\/README$/, "");

/** The site's sections and pages, in the order of reading. The operations follow from the declarations. */
export const sections: readonly Section[] = [
  {
    folder: "platforms",
    title: "Platforms",
    groups: [
      { title: "Start", pages: ["overview", "quick-start", "authentication"] },
      { title: "Guides", pages: ["kyc", "kyc-decisions", "files", "cards", "webhooks"] },
      { title: "Behaviour", pages: ["errors", "retries"] },
      { title: "Going live", pages: ["sandbox", "client", "mcp", "going-live"] },
      { title: "Changes", pages: ["versioning", "changelog"] },
    ],
  },
  {
    folder: "apps",
    title: "Internal apps",
    groups: [{ title: "Internal apps", pages: ["typed-client", "react", "persons", "subscriptions"] }],
  },
  {
    folder: "operate",
    title: "Operators",
    groups: [
      { title: "Run it", pages: ["install", "operation", "high-availability"] },
      {
        title: "Day by day",
        pages: ["runbook", "backup", "restore-check", "upgrade", "monitoring", "pauses", "retention"],
      },
      {
        title: "Set up",
        pages: [
          "configuration",
          "console",
          "limits",
          "limits-in-front",
          "file-store",
          "pgbouncer",
          "sizing",
          "cells",
          "airwallex",
        ],
      },
      { title: "Security", pages: ["security", "encryption-keys", "audit", "data-subjects"] },
      { title: "People", pages: ["platforms-and-keys", "persons", "four-eyes", "evidence"] },
      { title: "Reference", pages: ["command-line", "search"] },
    ],
  },
  {
    folder: "contribute",
    title: "Contributors",
    groups: [
      {
        title: "Code",
        pages: [
          "architecture",
          "design-decisions",
          "../platforms/decisions",
          "development",
          "tests",
          "dependencies",
        ],
      },
      {
        title: "Adding",
        pages: [
          "adding-an-operation",
          "adding-a-kyc-field",
          "adding-a-rule",
          "adding-a-provider",
          "provider-contract",
        ],
      },
      { title: "Evidence", pages: ["reliability", "attacks", "performance"] },
    ],
  },
];
