import {
  auditExported,
  auditExportInput,
  type ExportedFile,
  monthIsOver,
  type Policies,
} from "@cardbridge/domain";
import { forCommandLine } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Exports a month of the audit of all platforms to files (gap G39). */
export const exportAudit = ({ now }: Policies) =>
  defineOperation({
    ...forCommandLine,
    id: "audit.export",
    kind: "write",
    summary: "Export a month of the audit",
    description:
      "Verifies a month of every platform's audit, and writes it to files of JSON lines, with the checkpoints that cover " +
      "it. An exported month can be dropped.",
    input: auditExportInput,
    rules: [monthIsOver(now)],
    output: auditExported,
    example: {
      input: { month: "2026-01", to: "/srv/audit" },
      output: {
        files: [
          {
            platformId: "plt_01jexample0000000000000000",
            file: "audit-2026-01-plt_01jexample0000000000000000.ndjson",
            checkpoints: 120,
            entries: 4_810,
            digest: "0".repeat(64),
          },
        ],
        problems: [],
      },
    },
    errors: [],
    audit: ["done"],

    async run({ audit, auditArchive }, { actor }, { month, to }) {
      const files: ExportedFile[] = [];
      const problems: string[] = [];
      for (const platformId of await audit.platforms()) {
        const file = `audit-${month}-${platformId}.ndjson`;
        const exported = await audit.exportMonth(platformId, { month, actor }, () =>
          auditArchive.open(to, file),
        );
        if (exported && "problem" in exported) problems.push(`${platformId}: ${exported.problem}`);
        else if (exported) files.push({ platformId, file, ...exported });
      }
      return { data: { files, problems }, subject: month };
    },
  });
