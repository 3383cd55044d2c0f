export { ConfigurationError } from "./configuration-error.ts";
export { isLoopback } from "./loopback.ts";
export { closeServer, urlOf } from "./serving.ts";
export { readVariables, secret, secretNames, type Variables } from "./variables.ts";
export { version } from "./version.ts";
