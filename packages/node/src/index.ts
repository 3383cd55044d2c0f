export { ConfigurationError } from "./configuration-error.ts";
export { isLoopback } from "./loopback.ts";
export { readVariables, secret, secretNames, type Variables } from "./variables.ts";
