import { runTests } from "./run-tests.mjs";

/*
 * npm run test:deep: the deep tier. The arguments are files or folders of a package's test/deep:
 * `npm run test:deep -- faults sockets`.
 */
const areas = process.argv.slice(2);
runTests(["test:deep", "--ui=stream", "--continue", ...(areas.length > 0 ? ["--", ...areas] : [])]);
