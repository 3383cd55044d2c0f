export const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/heic"] as const;
export const fileTypes = [...imageTypes, "application/pdf"] as const;

export type FileType = (typeof fileTypes)[number];

/** The number of a file's first bytes that `fileTypeOf` needs. */
export const headBytes = 12;

const heicBrands = /^ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/;

/** A file's type by its magic bytes. Undefined when the sandbox does not accept the type. */
export function fileTypeOf(head: Uint8Array): FileType | undefined {
  const text = Buffer.from(head).toString("latin1");
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  if (heicBrands.test(text.slice(4, 12))) return "image/heic";
  if (text.startsWith("%PDF-")) return "application/pdf";
  return undefined;
}
