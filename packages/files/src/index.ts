export type { BlobStore } from "./blobs/blob-store.ts";
export { createFolderBlobs } from "./blobs/folder-blobs.ts";
export { folderProblem, isFolderUnused } from "./blobs/folder-problem.ts";
export { createS3Blobs, type S3Options } from "./blobs/s3-blobs.ts";
export { type ClamdOptions, createClamdScan } from "./inspection/clamd.ts";
export {
  type ClosableFileInspector,
  createFileInspector,
  type FileInspectorOptions,
  type RunInSlot,
  type Scan,
} from "./inspection/file-inspector.ts";
export {
  type ClosableEvidenceRenderer,
  createEvidenceRenderer,
  type EvidenceRendererOptions,
} from "./rendering/evidence-renderer.ts";
