import type { EncryptionKeyVersion } from "@cardbridge/domain";
import type { Command } from "commander";
import { lineWidth, type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { formatTable } from "../table.ts";

export function addStatus(group: Command, session: Session): void {
  const command = group
    .command("status")
    .description("count the users under each version, and show which version can be taken out");
  reportAction(command, async () =>
    statusReport(await session((run) => run(operations.encryptionKeys.status, {}), ["keys"])),
  );
}

/** The versions, one a line. */
function statusReport(document: { versions: EncryptionKeyVersion[] }): Report {
  const text = formatTable(
    document.versions,
    [
      { title: "VERSION", value: ({ version }) => String(version), right: true },
      { title: "USERS", value: ({ users }) => String(users), right: true },
      { title: "UNUSED FILES", value: ({ files }) => String(files), right: true },
      { title: "ENDPOINTS", value: ({ webhookEndpoints }) => String(webhookEndpoints), right: true },
      { title: "STATE", value: formatState },
    ],
    lineWidth(),
  );
  return { document, text };
}

function formatState({ current, inRing, removable }: EncryptionKeyVersion): string {
  if (current) return "current";
  if (!inRing) return "missing from KEY_RING";
  return removable ? "can be taken out" : "in use";
}
