import type { PersonPlatforms } from "../persons/person.ts";
import type { AuditCheckpoint, ListedAuditEntry } from "./entry.ts";
import type { AuditVerified, CheckpointReference } from "./inputs.ts";
import type { AuditListQuery, AuditPage } from "./list.ts";
import type { ExportedFile } from "./month.ts";
import type { AuditProofs } from "./proofs.ts";
import type { AuditedRequest } from "./request.ts";

/** The append-only audit of each platform, with checkpoints that detect changed entries. */
export interface Audit {
  /**
   * Replaces up to `limit` counts of reads by audit entries, a day after their day ended; returns their number. Works
   * across platforms.
   */
  writeReadCounts(limit: number): Promise<number>;
  /**
   * The entries of a request on these platforms, at most 100, oldest first. It reads the latest entries of each platform:
   * 50,000 divided by the number of platforms.
   */
  ofRequest(platforms: PersonPlatforms, requestId: string): Promise<AuditedRequest["entries"]>;
  /** Lists the entries of these platforms that match, newest first. */
  list(platforms: PersonPlatforms, query: AuditListQuery): Promise<AuditPage>;
  /**
   * A platform's committed entries about these subjects since a time, oldest first, each with its proof. It reads all entries
   * since then, in batches.
   */
  proofs(platformId: string, subjects: readonly string[], since: Date): Promise<AuditProofs>;
  /** Lists a platform's committed entries about any of these subjects, oldest first, in batches. */
  about(platformId: string, subjects: readonly string[]): AsyncIterable<ListedAuditEntry[]>;
  /** The ids of all platforms, `internal` included. */
  platforms(): Promise<string[]>;
  /**
   * Verifies and exports the checkpoints of a platform's month with their entries, and records the export: those that
   * follow the last exported one, up to the last one with an entry of the month. A repetition exports the same ones.
   * Null if there are none.
   * @param open opens the file
   */
  exportMonth(
    platformId: string,
    by: { month: string; actor: string },
    open: () => Promise<AuditFile>,
  ): Promise<Omit<ExportedFile, "platformId" | "file"> | { problem: string } | null>;
  /** Verifies the platform's checkpoints that follow the checkpoint `after`, and the entries under them. */
  verify(
    platformId: string,
    from: { after: number; known?: CheckpointReference | undefined },
  ): Promise<AuditVerified>;
  /** Lists the platforms with pending entries, and the age of the oldest one in seconds. */
  pending(): Promise<{ platformId: string; oldestSeconds: number }[]>;
  /**
   * Creates a checkpoint over up to `limit` of a platform's oldest pending entries. Returns null if no entry is ready,
   * or if another process is creating a checkpoint for the platform.
   */
  checkpoint(platformId: string, limit: number): Promise<AuditCheckpoint | null>;
}

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

/** Drops exported months, with the rights of the tables' owner. */
export interface AuditMonths {
  /** Returns why the month was not dropped, as a sentence; null if it was. */
  drop(month: string): Promise<string | null>;
}
