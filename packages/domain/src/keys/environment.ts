/** The environments of services, keys and databases (gap G36). */
export const environments = ["test", "live"] as const;

/** The environment of a service: only in `live`, submissions are those of real people. */
export type Environment = (typeof environments)[number];

/** The header of every response that names the service's environment. */
export const environmentHeader = "x-cardbridge-environment";
