export { ConfigurationError } from "./configuration-error.ts";
export { isLoopback } from "./loopback.ts";
export { renewedState } from "./renewed-state.ts";
export { closeServer, urlOf } from "./serving.ts";
export { readVariables, secret, secretNames, type Variables } from "./variables.ts";
export { version } from "./version.ts";
export { withTimeout } from "./with-timeout.ts";
