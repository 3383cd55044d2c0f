import { Option } from "commander";

export const platformOption = () =>
  new Option("--platform <id>", "the user's platform").makeOptionMandatory();

/** The options of commands that take a platform and names of a user. */
export interface NameOptions {
  platform: string;
  memberId?: string;
  email?: string;
}
