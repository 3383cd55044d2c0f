/** The base path of the REST interface. */
export const basePath = "/openapi/v1";

/** The path of the OpenAPI document, which needs no key. */
export const documentPath = `${basePath}/openapi.json`;

/** The base path of the documentation site. */
export const docsPath = "/docs";

/** The base path of tRPC. */
export const trpcPath = "/trpc";

/** The path of the MCP server. */
export const mcpPath = "/mcp";

/** The base path of file downloads and uploads. */
export const filesPath = "/files";

/** The path of uploads to an upload URL, before its token. */
export const uploadsPath = `${filesPath}/uploads/`;

/** Whether a path is that of an upload URL. */
export const isUploadsPath = (path: string): boolean => path.startsWith(uploadsPath);

/** The path of a request target, which may be a whole URL. */
export const pathOf = (target: string): string =>
  target.replace(/^https?:\/\/[^/?#]*/, "").split("?", 1)[0] ?? "";

const kycPath = new RegExp(`^(?:${basePath}/users/kyc|${trpcPath}/(?:[^/]*,)?kyc\\.)`);

/** Whether a path names a KYC operation, whose responses have the interface's `status` (section 2.4). */
export const isKyc = (path: string): boolean => kycPath.test(path);

/** Whether a path belongs to tRPC. */
export const isTrpc = (path: string): boolean => path === trpcPath || path.startsWith(`${trpcPath}/`);
