import { deflateSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import { ruleOfObjects } from "../../src/inspection/pdf/objects.js";
import { ruleOfText } from "../../src/inspection/pdf/text.js";

const page =
  "2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n";
const end = "trailer\n<< /Root 1 0 R /Size 9 >>\nstartxref\n0\n%%EOF\n";

interface Parts {
  /** Further entries of the catalog. */
  catalog?: string;
  /** Further objects. */
  objects?: (string | Buffer)[];
  trailer?: string;
}

/** Builds a PDF of one empty page from text. */
export function buildPdf({ catalog = "", objects = [], trailer = end }: Parts = {}): Buffer {
  const head = `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog} >>\nendobj\n${page}`;
  return Buffer.concat([head, ...objects, trailer].map((part) => Buffer.from(part as string, "latin1")));
}

/** Builds an object with a stream. */
export function stream(number: number, entries: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${number} 0 obj\n<< ${entries} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from("\nendstream\nendobj\n"),
  ]);
}

/** Builds an object stream that contains one object. */
export function objectStream(number: number, contained: number, object: string): Buffer {
  const head = `${contained} 0 `;
  const entries = `/Type /ObjStm /N 1 /First ${head.length} /Filter /FlateDecode`;
  return stream(number, entries, deflateSync(Buffer.from(head + object)));
}

/** Creates a PDF with a library: object streams, a font and text. */
export async function createPdf(change?: (pdf: PDFDocument) => Promise<void> | void): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  pdf.addPage().drawText("A statement of an account.");
  await change?.(pdf);
  return Buffer.from(await pdf.save());
}

/** The rule that a PDF violates, as the thread determines it; null for none. */
export const ruleOfPdf = async (bytes: Buffer) => ruleOfText(bytes) ?? (await ruleOfObjects(bytes));
