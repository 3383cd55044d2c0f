export { type ForkedFake, forkedCredentials, forkFake } from "./fork.ts";
export { type Fake, type FakeOptions, startFake } from "./start.ts";
