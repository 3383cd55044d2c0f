import type { Submission } from "./wire.ts";

/** JSON with the keys of every object in code-unit order: equal data gives equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isObject(part) ? sorted(part) : part));
}

/** What is compared of two submissions: everything but the query and fragment of file URLs. */
export function contentOf(submission: Submission): string {
  const { document, supportingDocuments } = submission;
  return canonical({
    ...submission,
    document: {
      ...document,
      frontImageUrl: bare(document.frontImageUrl),
      backImageUrl: document.backImageUrl === null ? null : bare(document.backImageUrl),
      selfieImageUrl: bare(document.selfieImageUrl),
    },
    supportingDocuments: supportingDocuments.map((one) => ({ ...one, fileUrl: bare(one.fileUrl) })),
  });
}

function bare(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, object[key]]),
  );
}
