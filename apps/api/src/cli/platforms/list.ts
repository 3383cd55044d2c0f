import type { ListedPlatform } from "@cardbridge/domain";
import type { Command } from "commander";
import { limitOption } from "../limit-option.ts";
import { lineWidth, type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { formatTable } from "../table.ts";

export function addList(group: Command, session: Session): void {
  const command = group
    .command("list")
    .description("list the platforms, oldest first")
    .addOption(limitOption(200));
  reportAction(command, async ({ limit }: { limit: number }) =>
    listReport(await session((run) => run(operations.platforms.list, { limit }))),
  );
}

/** The platforms, one a line. */
function listReport(document: { platforms: ListedPlatform[]; more: boolean }): Report {
  if (document.platforms.length === 0) return { document, text: "There is no platform." };
  const lines = formatTable(
    document.platforms,
    [
      { title: "PLATFORM", value: ({ platformId }) => platformId },
      { title: "SINCE", value: ({ createdAt }) => createdAt.slice(0, 10) },
      { title: "FILES", value: ({ storedFiles }) => String(storedFiles) },
      { title: "BYTES", value: ({ storedBytes }) => String(storedBytes) },
      { title: "NAME", value: ({ name }) => name },
    ],
    lineWidth(),
  );
  return { document, text: document.more ? `${lines}\n\nThere are more: raise --limit.` : lines };
}
