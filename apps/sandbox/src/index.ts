export { type Scenario, scenarios } from "./scenarios.ts";
export { type Sandbox, type SandboxOptions, startSandbox } from "./start.ts";
