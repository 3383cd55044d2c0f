export { type Account, findAccount } from "./account.ts";
export { bootstrap } from "./bootstrap.ts";
export { type Credentials, type Role, urlOf } from "./credentials.ts";
export { type Embedded, type EmbeddedOptions, findEmbedded, startEmbedded } from "./embedded.ts";
export { type Server, type ServerOptions, startServer } from "./server.ts";
