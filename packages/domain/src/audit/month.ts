import * as z from "zod";
import { formatHelp } from "../input/format.ts";
import type { RawInput, Rule } from "../input/rule.ts";

formatHelp.month = "A month in UTC, such as 2027-01.";
/** A month of the audit, in UTC. */
const auditMonth = z
  .stringFormat("month", /^[0-9]{4}-(?:0[1-9]|1[0-2])$/)
  .meta({ description: formatHelp.month });

export const auditExportInput = z.object({
  month: auditMonth,
  to: z.string().min(1).max(1_000).meta({
    description: "The folder for the files, one for each platform with entries. It must exist.",
  }),
});

/** The file of a platform's month. */
const exportedFile = z.object({
  platformId: z.string(),
  file: z.string(),
  checkpoints: z.int(),
  entries: z.int(),
  digest: z.string().meta({ description: "The SHA-256 of the file, in hexadecimal." }),
});
export type ExportedFile = z.output<typeof exportedFile>;

export const auditExported = z
  .object({
    files: z
      .array(exportedFile)
      .meta({ description: "Platforms without entries in the month have no file." }),
    problems: z.array(z.string()).meta({ description: "Why a platform's month was not exported." }),
  })
  .meta({ id: "AuditExported" });

/** A file of an archive. A file that is not finished is not left. */
export interface AuditFile {
  append(text: string): Promise<void>;
  /** Flushes the file and gives it its name. Returns its SHA-256 in hexadecimal. */
  finish(): Promise<string>;
  /** Removes the file, unless it is finished. */
  discard(): Promise<void>;
}

/** Where exported months are written. */
export interface AuditArchive {
  /** @throws Failure INVALID_INPUT if the folder cannot be used. */
  open(folder: string, file: string): Promise<AuditFile>;
}

export const auditDropInput = z.object({ month: auditMonth });
export const auditDropped = z.object({ month: auditMonth }).meta({ id: "AuditDropped" });

/** When a month ends, in milliseconds since 1970: the start of the next one, in UTC. */
export function endOfMonth(month: string): number {
  const start = new Date(`${month}-01T00:00:00Z`);
  return start.setUTCMonth(start.getUTCMonth() + 1);
}

/** The month of a time, in UTC. */
export const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

/** Only a whole month is exported and dropped. */
export const monthIsOver = (now: () => Date): Rule => ({
  id: "month-is-over",
  section: "G39",
  description: "month is over.",
  check: ({ month }: RawInput) =>
    auditMonth.safeParse(month).success && endOfMonth(String(month)) > now().getTime()
      ? [{ path: ["month"], rule: "month-is-over", message: "Send a month that is over." }]
      : [],
  schema: {},
});
