import { withChecksum } from "./api-key.ts";

/** The public keys of the two demo platforms, and of the console. They are valid only with the embedded database. */
export const demoKeys = {
  first: withChecksum("cb_test_DemoPlatformOne000000000"),
  second: withChecksum("cb_test_DemoPlatformTwo000000000"),
  /** Has the scope ops.persons, so it does nothing without a signed-in person. */
  console: withChecksum("cb_int_test_DemoConsole0000000000000"),
};

export function isDemoKey(key: string): boolean {
  return Object.values(demoKeys).includes(key);
}
