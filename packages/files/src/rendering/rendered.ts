import type { EncryptedFile, PageToRender, RenderedPage } from "@cardbridge/domain";

/** The input of a render process. */
export interface RenderTask extends Omit<PageToRender, "file"> {
  file: EncryptedFile;
}

/** A rendered page, the number of pages of a file that does not have the page, or why the file cannot be read. */
export type Rendered = RenderedPage | { pages: number } | { unreadable: string };

/** Pixels of a page, three or four channels, in rows from the top. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
  channels: number;
}

/** The input of the thread that renders PDFs. */
export interface PageTask {
  bytes: Uint8Array;
  /** The page to render, or to begin with. */
  page: number;
  /** Renders further pages without keeping them, and begins none after this CPU time of the process, in milliseconds. */
  further?: { lastPage: number; untilCpuMs: number };
}

/** The next page of a PDF to render; null if all its pages that are shown to people were rendered. */
export interface PdfProgress {
  nextPage: number | null;
}

/** What a thread renders of a PDF: a page, unless the PDF has fewer pages. */
export interface PdfPage {
  pages: number;
  pixels?: Pixels;
}

/** The most pixels on the long side of a rendered page. */
export const maxSide = 2_048;
