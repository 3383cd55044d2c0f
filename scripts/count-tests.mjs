import { readdirSync, readFileSync } from "node:fs";

/* Adds up the reports that every package's tests left, and closes with: N passed, M failed. */
const folders = ["packages", "apps"]
  .flatMap((group) => readdirSync(group).map((name) => `${group}/${name}`))
  .filter((folder) => JSON.parse(readFileSync(`${folder}/package.json`, "utf8")).scripts?.test);
const total = { passed: 0, failed: 0, notRun: 0 };
for (const folder of folders) {
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = JSON.parse(
    readFileSync(`${folder}/.reports/vitest.json`, "utf8"),
  );
  total.passed += numPassedTests;
  total.failed += Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
  total.notRun += numPendingTests;
  process.stdout.write(`${folder.padEnd(20)} ${numPassedTests} passed, ${numFailedTests} failed\n`);
}
if (total.notRun > 0)
  process.stdout.write(`tests not run, for want of a program or of root: ${total.notRun}\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
if (total.failed > 0 || total.passed === 0) process.exit(1);
