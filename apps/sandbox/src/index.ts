export { type Scenario, scenarios } from "./scenarios/table.ts";
export { type Sandbox, type SandboxOptions, startSandbox } from "./start.ts";
