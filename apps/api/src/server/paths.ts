/** Where the REST interface is. */
export const basePath = "/openapi/v1";

/** Where tRPC is. */
export const trpcPath = "/trpc";

/** Where files are read and uploaded. */
export const filesPath = "/files";

/** Whether a path belongs to tRPC. */
export const isTrpc = (path: string): boolean => path === trpcPath || path.startsWith(`${trpcPath}/`);
