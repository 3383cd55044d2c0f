export { folderBlobs } from "./blobs/folder-blobs.ts";
export { folderProblem } from "./blobs/folder-problem.ts";
export { type S3Options, s3Blobs } from "./blobs/s3-blobs.ts";
export { type ClamdOptions, createClamdScan } from "./inspection/clamd.ts";
export { createFileInspector, type FileInspectorOptions, type Scan } from "./inspection/file-inspector.ts";
