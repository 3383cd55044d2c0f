import type { Command } from "commander";
import { createProgressLine } from "../progress-line.ts";
import { reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { type Imported, importFile } from "./import-file.ts";
import { importReport } from "./import-report.ts";
import { platformOption } from "./options.ts";

export function addImport(group: Command, session: Session): void {
  const command = group
    .command("import <file>")
    .summary("import cardholders from a CSV file")
    .description(
      "Imports users from CSV in UTF-8, from a file or, as -, from standard input. The first line names the columns: " +
        "memberId, email and, where the provider knows the users already, externalUserId. A line that breaks a " +
        "rule is refused and reported by its number; the others are imported. You can import the same file again.",
    )
    .addOption(platformOption());
  reportAction(command, async (file: string, { platform: platformId }: { platform: string }) => {
    const progress = createProgressLine<Imported>(({ lines }) => `${lines} lines read`);
    const importing = session(
      (run) => importFile(run, { file, platformId, onProgress: progress.update }),
      ["keys"],
    );
    return importReport(await importing.finally(progress.clear));
  });
}
