import manifest from "../../package.json" with { type: "json" };

/** The version of the service and of its programs: declared once, in the package. */
export const { version } = manifest;
