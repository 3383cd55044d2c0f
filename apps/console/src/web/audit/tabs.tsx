import { TabLinks } from "../ui/head.tsx";
import { type AuditSearch, evidenceOperation } from "./filter.ts";

const words = {
  tabs: {
    label: "Views of the audit",
    all: "All entries",
    evidence: "Evidence opened",
    verify: "Verify",
  },
} as const;

const { tabs } = words;

/** The views of the audit. The first two are the same list, and keep its other filters. */
export function AuditTabs({ search = {} }: { search?: AuditSearch }) {
  const { operation, ...others } = search;
  return (
    <TabLinks
      label={tabs.label}
      tabs={[
        {
          name: tabs.all,
          link: { to: "/audit", search: operation === evidenceOperation ? others : search },
          bySearch: true,
        },
        {
          name: tabs.evidence,
          link: { to: "/audit", search: { ...others, operation: evidenceOperation } },
          bySearch: true,
        },
        { name: tabs.verify, link: { to: "/audit/verify" } },
      ]}
    />
  );
}
