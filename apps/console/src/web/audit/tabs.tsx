import { TabLinks } from "../ui/head.tsx";
import { words } from "../words.ts";
import { evidenceOperation } from "./filter.ts";

const { tabs } = words.audit;
export type AuditTab = "all" | "evidence" | "verify" | "caseFile";

/** The views of the audit. */
export const AuditTabs = ({ current }: { current: AuditTab }) => (
  <TabLinks
    label={tabs.label}
    tabs={[
      { name: tabs.all, link: { to: "/audit", search: {} }, current: current === "all" },
      {
        name: tabs.evidence,
        link: { to: "/audit", search: { operation: evidenceOperation } },
        current: current === "evidence",
      },
      { name: tabs.verify, link: { to: "/audit/verify" }, current: current === "verify" },
      { name: tabs.caseFile, link: { to: "/audit/case-file" }, current: current === "caseFile" },
    ]}
  />
);
