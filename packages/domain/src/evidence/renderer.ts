import type { EncryptedFile } from "../files/ports.ts";

/** A page of a file to render. */
export interface PageToRender {
  /** Locates the file. It is called when a renderer is free, so an erasure while the call waits counts. */
  file(): Promise<EncryptedFile>;
  /** Starts at 1. */
  page: number;
  /** The texts of the watermark. The id stands for a name that the font cannot draw. */
  watermark: { name: string; personId: string; time: string; auditId: string };
}

/** A rendered page. */
export interface RenderedPage {
  /** A WebP picture in base64. */
  image: string;
  width: number;
  height: number;
  /** The number of pages of the file. */
  allPages: number;
}

/** Renders pages of files with a watermark. */
export interface EvidenceRenderer {
  /**
   * `holder` is whose share of the renderers is used.
   * @throws what `file` throws; Failure INVALID_INPUT for a page that the file does not have, SERVICE_UNAVAILABLE if it
   *   cannot be read or rendered.
   */
  render(page: PageToRender, holder: string): Promise<RenderedPage>;
}
