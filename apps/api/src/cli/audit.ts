import { type AuditReport, listAudit, verifyAudit } from "@cardbridge/store";
import { type Command, InvalidArgumentError, Option } from "commander";
import { entriesReport } from "./audit/list.ts";
import { verifyReport } from "./audit/verify.ts";
import { withAudit } from "./connect.ts";
import { limitOption } from "./limit.ts";
import { progressLine } from "./progress.ts";
import { reports } from "./report.ts";

/** `cardbridge audit`: who did what, and whether that was changed since. */
export function addAudit(program: Command): void {
  const audit = program.command("audit").description("who did what, and whether that was changed since");

  reports(
    audit
      .command("list <platform>")
      .description("list the newest entries of a platform")
      .addOption(limitOption(50)),
    async (platformId: string, { limit }: { limit: number }) =>
      entriesReport(platformId, await withAudit((database) => listAudit(database, platformId, limit))),
  );

  reports(
    audit
      .command("verify <platform>")
      .description("hold all entries of a platform against their seals; exit code 1 where anything is wrong")
      .addOption(
        new Option(
          "--known <seal>",
          "a seal that was told earlier, as number:hash; it has to be there still",
        ).argParser(seal),
      ),
    async (platformId: string, { known }: { known?: ReturnType<typeof seal> }) => {
      const verify = withAudit((database, keys) => {
        const { onProgress, end } = progressLine<Pick<AuditReport, "seals" | "entries">>(
          ({ seals, entries }) => `${entries} entries under ${seals} seals`,
        );
        return verifyAudit(database, platformId, { keys, known, onProgress }).finally(end);
      });
      return verifyReport(platformId, await verify);
    },
  );
}

function seal(text: string): { number: number; hash: string } {
  const [, number, hash] = /^([1-9]\d{0,9}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw new InvalidArgumentError("Give number:hash, as verify and the log tell it.");
}
