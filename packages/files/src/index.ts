export { type ClamdOptions, createClamdScan } from "./clamd.ts";
export { createFileInspector, type FileInspectorOptions, type Scan } from "./file-inspector.ts";
export { folderBlobs } from "./folder-blobs.ts";
export { folderProblem } from "./folder-problem.ts";
export { type S3Options, s3Blobs } from "./s3-blobs.ts";
