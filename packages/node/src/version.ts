import manifest from "../../../package.json" with { type: "json" };

/** The version of the service, the console and their programs, from the project's package.json. */
export const { version } = manifest;
