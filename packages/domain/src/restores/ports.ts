import type { AuditOrigin } from "../audit/entry.ts";
import type { ProviderExecution } from "../provider/ports.ts";

/** A platform, for the check of a restored database. */
export interface AuditedPlatform {
  platformId: string;
  /** When its newest audit entry was written; null without one. */
  newestAt: Date | null;
  /** Whether the server's next transaction follows the newest entry. A dump in another server starts again below it. */
  continues: boolean;
}

/** The erasures in the log outside the database. */
export interface LoggedErasures {
  erasures: { platformId: string; externalUserId: string; at: Date }[];
  /** Why the log is not whole, as sentences. */
  problems: string[];
}

/** The files of the database compared with the file store. */
export interface ComparedFiles {
  files: number;
  blobs: number;
  /** The ids of files whose blob is missing. */
  missing: string[];
  /** The names of blobs without a file. */
  orphans: string[];
}

/**
 * What became of an execution that the provider lists. `known`: the database has its record. `adopted`: the record was
 * added to its user. `unknown`: the database knows neither the record nor the user. `erased`: its user is erased.
 */
export type ListedExecution = "known" | "adopted" | "unknown" | "erased";

/** Makes a restored database fit to serve again. */
export interface Restores {
  /** Why the service must not start on this database, as sentences; empty if it may. @throws Failure SERVICE_UNAVAILABLE. */
  reasonsNotToStart(): Promise<string[]>;
  /** The rights that a restore lost, as sentences. */
  accessProblems(): Promise<string[]>;
  /** How the configured encryption keys differ from the database's, as sentences. */
  keyProblems(): Promise<string[]>;
  platforms(): Promise<AuditedPlatform[]>;
  /**
   * Reads the log of erasures. Without problems, stores the entries that the database lacks.
   * @throws Failure SERVICE_UNAVAILABLE.
   */
  recoverErasures(): Promise<LoggedErasures>;
  /** @throws Failure SERVICE_UNAVAILABLE, also if the file store does not let the service list it. */
  compareFiles(): Promise<ComparedFiles>;
  /** Makes every record without a final status due, so that a worker asks the provider first. Returns their number. */
  askWaiting(): Promise<number>;
  /** Adds an execution that the database forgot, with an audit entry of this operator. */
  addExecution(execution: ProviderExecution, by: AuditOrigin): Promise<ListedExecution>;
  /** Lets the service start. `listed`: whether the provider listed what the database forgot. */
  finish(result: { listed: boolean }): Promise<void>;
  /**
   * Whether a restore explains that the database does not know a record or a user of an event: the provider listed it,
   * or could not list it and the restore was in the last 30 days.
   */
  explains(id: string | undefined): Promise<boolean>;
}
