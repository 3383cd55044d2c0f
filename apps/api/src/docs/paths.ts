/** The base path of the guides, below the docs page. */
export const guidesPath = "/docs/platforms";
