/** The base path of the guides, below the docs page. */
export const guidesPath = "/docs/guides";

/** The section that explains a decision of the gap register. */
export const decisionUrl = (id: string): string => `${guidesPath}/decisions#${id.toLowerCase()}`;
