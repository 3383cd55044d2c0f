import { runTests } from "./run-tests.mjs";

/*
 * npm run test:deep: the deep tier. Arguments are areas, the files or folders below a package's test/deep:
 * `npm run test:deep -- faults sockets`.
 */
const areas = process.argv.slice(2);
runTests(["test:deep", "--ui=stream", "--continue", ...(areas.length > 0 ? ["--", ...areas] : [])]);
