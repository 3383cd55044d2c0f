export { type Fake, type FakeOptions, startFake } from "./start.ts";
