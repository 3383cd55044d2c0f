import type { RouterOutputs } from "@cardbridge/trpc-client";
import { shared } from "../../lib/words.ts";

const words = {
  file: {
    frontImageUrl: "Document, front",
    backImageUrl: "Document, back",
    selfieImageUrl: "Selfie",
    supportingDocuments: "Supporting document",
  },
  requested: (name: string) => `${name}, on request`,
  numbered: (name: string, n: number) => `${name} ${n}`,
} as const;

// Tests read this module without a browser, so it takes the types from the client.
type Opened = RouterOutputs["records"]["submission"];
type EvidenceFile = Opened["files"][number];

/** A file with the words for it. */
export interface NamedFile extends EvidenceFile {
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
  if (documentType !== null) {
    const name = shared.record.document(documentType);
    return field.startsWith("requests/") ? words.requested(name) : name;
  }
  const [name = ""] = field.split("/");
  return (words.file as Record<string, string>)[name] ?? field;
}

/** The two files that a reviewer compares first: the document's front and the selfie. */
export function firstTwo(shown: readonly ShownFile[]): (string | undefined)[] {
  const front = shown.find(({ field }) => field === "frontImageUrl") ?? shown[0];
  const others = shown.filter((file) => file !== front);
  const selfie = others.find(({ field }) => field === "selfieImageUrl") ?? others[0];
  return [front?.fileId, selfie?.fileId];
}
