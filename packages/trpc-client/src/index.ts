export type { AppRouter, Card, KycResult, Problem, RouterInputs, RouterOutputs } from "./app-router.ts";
export type { Client, MutationOptions, QueryOptions, SubscriptionOptions } from "./client.ts";
export { type ClientOptions, createClient } from "./create-client.ts";
export { problemOf } from "./problem-of.ts";
export { type ResponseInfo, responseInfo } from "./response-info.ts";
