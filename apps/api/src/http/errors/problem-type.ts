/** The page of the docs that has a section for each error code. */
const errorsPage = "/docs/platforms/errors";

/**
 * The `type` of an error: the path of its explanation. RFC 9457 (section 3.1.1) allows a path, which is the same for
 * every address of the service.
 */
export const problemType = (code: string): string => `${errorsPage}#${code.toLowerCase()}`;
