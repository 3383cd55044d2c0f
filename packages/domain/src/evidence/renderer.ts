import type { FileType } from "../files/file.ts";

/** A page of a file to render. */
export interface PageToRender {
  contentType: FileType;
  bytes: Uint8Array;
  /** Starts at 1. */
  page: number;
  /** The texts of the watermark. The id stands for a name that the font cannot draw. */
  watermark: { name: string; personId: string; time: string; auditId: string };
}

/** A rendered page: a WebP picture. */
export interface RenderedPage {
  bytes: Uint8Array;
  width: number;
  height: number;
  /** The number of pages of the file. */
  allPages: number;
}

/** Renders pages of files with a watermark. */
export interface EvidenceRenderer {
  /**
   * `holder` is whose share of the renderers is used.
   * @throws Failure INVALID_INPUT for a page that the file does not have, SERVICE_UNAVAILABLE if it cannot be rendered.
   */
  render(page: PageToRender, holder: string): Promise<RenderedPage>;
}
