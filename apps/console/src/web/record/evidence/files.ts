import type { RouterOutputs } from "@cardbridge/trpc-client";
import { shared } from "../../lib/words.ts";

const words = {
  requested: (name: string) => `${name}, on request`,
  numbered: (name: string, n: number) => `${name} ${n}`,
} as const;

// Tests read this module without a browser, so it takes the types from the client.
type Opened = RouterOutputs["records"]["submission"];
type EvidenceFile = Opened["files"][number];

/** A file with the words for it. */
interface NamedFile extends EvidenceFile {
  name: string;
}
export interface ShownFile extends NamedFile {
  fileId: string;
}

/** The files that can be shown, and those that cannot with why. Several files with one name are numbered. */
export function sortFiles(files: Opened["files"]): { shown: ShownFile[]; others: NamedFile[] } {
  const named = files.map((file) => ({ ...file, name: nameOf(file) }));
  const numbered = named.map((file, index) => {
    if (named.filter(({ name }) => name === file.name).length === 1) return file;
    const number = named.slice(0, index + 1).filter(({ name }) => name === file.name).length;
    return { ...file, name: words.numbered(file.name, number) };
  });
  const isShown = (file: NamedFile): file is ShownFile => file.fileId !== null && file.contentType !== null;
  return { shown: numbered.filter(isShown), others: numbered.filter((file) => !isShown(file)) };
}

function nameOf({ field, documentType }: EvidenceFile): string {
  if (documentType === null) return shared.evidence.file(field);
  const name = shared.record.document(documentType);
  return field.startsWith("requests/") ? words.requested(name) : name;
}

/** The two files that a reviewer compares first: the document's front and the selfie. */
export function firstTwo(shown: readonly ShownFile[]): ShownFile[] {
  const rankOf = ({ field }: ShownFile) => ["frontImageUrl", "selfieImageUrl", field].indexOf(field);
  return shown.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, 2);
}
