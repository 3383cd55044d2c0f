import { keyGenerator } from "../../src/admission/api-key.ts";

/** Creates keys of the environment of the tests' services. */
export const generateKey = keyGenerator("test");
