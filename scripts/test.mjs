import { runTests } from "./run-tests.mjs";

/* npm test: lint, types and the first tier of the tests. Extra arguments go to turbo, such as --force. */
runTests(["lint", "types", "test", "--ui=stream", "--continue", ...process.argv.slice(2)]);
