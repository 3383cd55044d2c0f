import { existsSync, readdirSync, readFileSync } from "node:fs";

/* Sums up the test reports of all packages, tier by tier, and prints as the last line: N passed, M failed. */
const packages = ["packages", "apps"].flatMap((group) =>
  readdirSync(group).map((name) => `${group}/${name}`),
);
const total = { passed: 0, failed: 0, notRun: 0 };
for (const [task, report] of [
  ["test", "fast"],
  ["test:deep", "deep"],
]) {
  for (const folder of packages) {
    const { scripts = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    if (scripts[task]) count(`${folder} ${task}`, `${folder}/.reports/${report}.json`);
  }
}
if (total.notRun > 0)
  process.stdout.write(`tests not run, because a program or root is missing: ${total.notRun}\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
if (total.failed > 0 || total.passed === 0) process.exit(1);

function count(name, report) {
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numFailedTestSuites: 1 };
  const failed = Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
  total.passed += numPassedTests;
  total.failed += failed;
  total.notRun += numPendingTests;
  process.stdout.write(`${name.padEnd(36)} ${numPassedTests} passed, ${failed} failed\n`);
}
