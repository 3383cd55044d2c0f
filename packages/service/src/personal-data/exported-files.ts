import {
  type FileType,
  reasonOf,
  toDocumentRequest,
  toKycHistoryEntry,
  toKycReading,
  type UserFacts,
} from "@cardbridge/domain";
import { and, asc, eq, sql } from "drizzle-orm";
import { entriesAbout } from "../audit/about.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { providerSteps } from "../database/schema.ts";
import { coveredEvidence } from "../evidence/evidence.ts";
import { readNotes } from "../notes/list.ts";
import type { Ports } from "../operation/ports.ts";
import { listFiles, readIdentifiers, type StoredFile } from "../users/personal-data.ts";
import { deliveriesOfRecord } from "../webhooks/select-deliveries.ts";
import { exportReadme } from "./export-readme.ts";

/** A file of an export, with its path in the archive. */
export interface ExportedFile {
  name: string;
  bytes: Uint8Array;
}

/** A part of an export cannot be read. The message names the part by its id, and contains no value. */
export class UnreadablePart extends Error {
  constructor(part: string, cause: unknown) {
    super(`The ${part} cannot be read (${reasonOf(cause)}).`, { cause });
    this.name = "UnreadablePart";
  }
}

type ExportPorts = Pick<Ports, "database" | "personalDataKeys" | "kycRecords" | "files">;

/** The number of audit entries after which another file begins. */
const entriesPerFile = 10_000;

const extensions: Readonly<Record<FileType, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "application/pdf": "pdf",
};

/**
 * The files of a user's export, in order, without the first `from` ones. Each is read when it is requested.
 * @throws UnreadablePart.
 */
export async function* exportedFiles(
  ports: ExportPorts,
  user: UserFacts,
  from = 0,
): AsyncIterable<ExportedFile> {
  const { platformId, externalUserId, erasure } = user;
  if (from === 0) yield { name: "README.txt", bytes: Buffer.from(exportReadme(user)) };

  const { stored, uploads } = await readPart(`user ${externalUserId}`, async () => ({
    stored: await readIdentifiers(ports, platformId, externalUserId),
    uploads: await listFiles(ports, platformId, externalUserId),
  }));
  if (from <= 1)
    yield json("person.json", { platformId, externalUserId, ...stored, erasure, files: uploads });

  const recordIds = user.records.map(({ kycRecordId }) => kycRecordId).reverse();
  const firstUpload = 2 + recordIds.length;
  const firstAccess = firstUpload + uploads.length;
  for (const id of recordIds.slice(Math.max(0, from - 2))) {
    yield json(`records/${id}.json`, await readPart(`record ${id}`, () => readRecord(ports, platformId, id)));
  }
  for (const upload of uploads.slice(Math.max(0, from - firstUpload))) {
    yield await readPart(`file ${upload.fileId}`, () => readUpload(ports, platformId, upload));
  }
  const subjects = [externalUserId, ...recordIds, ...uploads.map(({ fileId }) => fileId)];
  let number = firstAccess;
  for await (const file of accessFiles(ports, platformId, subjects)) {
    if (number >= from) yield file;
    number += 1;
  }
}

/**
 * A record's result, what was submitted, the requests for documents with their answers, its history, the notes, and the
 * deliveries that reported its changes.
 */
async function readRecord(ports: ExportPorts, platformId: string, kycRecordId: string) {
  const { kycRecords } = ports;
  const found = await kycRecords.history(platformId, kycRecordId);
  if (!found) throw new Error("The record was deleted.");
  // Restricted notes may hint at what only compliance may know.
  const { submission, answers } = await coveredEvidence(ports, { platformId, kycRecordId });
  const { notes } = await readNotes(ports, { platformId, kycRecordId, restricted: false });
  return {
    ...toKycReading(found.record),
    createdAt: found.record.createdAt.toISOString(),
    submission,
    requests: found.record.requests.map((request) => ({
      ...toDocumentRequest(request),
      files:
        answers.find(({ documentRequestId }) => documentRequestId === request.documentRequestId)?.files ?? [],
    })),
    history: found.history.map(toKycHistoryEntry),
    providerIds: await readProviderIds(ports, platformId, kycRecordId),
    notes: notes.map(({ text, createdAt }) => ({ text, createdAt })),
    deliveries: await deliveriesOfRecord(ports, platformId, kycRecordId),
  };
}

/** Only the provider's ids: its unknown error codes may hint at what only compliance may know. */
async function readProviderIds({ database }: ExportPorts, platformId: string, kycRecordId: string) {
  const { name, result, keptAt, recordId, platformId: ofPlatform } = providerSteps;
  const steps = await database.asPlatform(platformId, (tx) =>
    tx
      .select({ name, result, storedAt: shownMoment(sql`${keptAt}`) })
      .from(providerSteps)
      .where(and(eq(ofPlatform, platformId), eq(recordId, kycRecordId)))
      .orderBy(asc(keptAt), asc(name)),
  );
  return steps.flatMap(({ name, result: { id }, storedAt }) =>
    id === undefined ? [] : [{ name, id, storedAt }],
  );
}

async function readUpload(
  { files }: ExportPorts,
  platformId: string,
  { fileId, contentType }: StoredFile,
): Promise<ExportedFile> {
  const file = await files.read(platformId, fileId);
  if (!file) throw new Error("The file was deleted.");
  return { name: `files/${fileId}.${extensions[contentType]}`, bytes: file.bytes };
}

/** The audit entries about the subjects, in files of bounded size. The first file exists without entries too. */
async function* accessFiles(ports: ExportPorts, platformId: string, subjects: readonly string[]) {
  let number = 1;
  let entries: object[] = [];
  for await (const batch of entriesAbout(ports, platformId, subjects)) {
    entries.push(...batch);
    if (entries.length < entriesPerFile) continue;
    yield json(`access/${number}.json`, entries);
    number += 1;
    entries = [];
  }
  if (number === 1 || entries.length > 0) yield json(`access/${number}.json`, entries);
}

function json(name: string, value: unknown): ExportedFile {
  return { name, bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) };
}

async function readPart<T>(part: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UnreadablePart(part, error);
  }
}
