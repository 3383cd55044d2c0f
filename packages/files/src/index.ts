export type { Blobs, FileInspector } from "@cardbridge/domain";
