import manifest from "../../../../package.json" with { type: "json" };

/** The version of the service and its programs, from the project's package.json. */
export const { version } = manifest;
