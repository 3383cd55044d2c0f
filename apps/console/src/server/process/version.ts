import manifest from "../../../../../package.json" with { type: "json" };

/** The version of the console, from the project's package.json. */
export const { version } = manifest;
