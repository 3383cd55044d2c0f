import { existsSync, readdirSync, readFileSync } from "node:fs";

/*
 * Sums up the test reports of all packages, tier by tier, and prints as the last line: N passed, M failed. The argument is
 * the number of commands that failed: a failure of the lint or the types is in no report.
 */
const failedCommands = Number(process.argv[2] ?? 0);
const packages = ["packages", "apps"].flatMap((group) =>
  readdirSync(group).map((name) => `${group}/${name}`),
);
const total = { passed: 0, failed: 0, notRun: 0 };
/** What failed, named beside the sums: the output of the test itself is far above. */
const failures = [];
for (const [task, report] of [
  ["test", "fast"],
  ["test:deep", "deep"],
]) {
  const durations = [];
  for (const folder of packages) {
    const { scripts = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    if (!scripts[task]) continue;
    const files = count(`${folder} ${task}`, `${folder}/.reports/${report}.json`);
    durations.push(...files.map((file) => [(file.endTime - file.startTime) / 1_000, nameOf(folder, file)]));
  }
  printSlowest(task, durations);
}
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
if (total.notRun > 0)
  process.stdout.write(`tests not run, because a program or root is missing: ${total.notRun}\n`);
total.failed = Math.max(total.failed, failedCommands);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
if (total.failed > 0 || total.passed === 0) process.exit(1);

function count(name, report) {
  const { numPassedTests, numFailedTests, numPendingTests, testResults, success } = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [], success: false };
  const failed = Math.max(numFailedTests, success ? 0 : 1);
  total.passed += numPassedTests;
  total.failed += failed;
  total.notRun += numPendingTests;
  if (failed > 0 && testResults.length === 0) failures.push(`${name}: no report`);
  for (const file of testResults) addFailures(name, file);
  process.stdout.write(`${name.padEnd(36)} ${numPassedTests} passed, ${failed} failed\n`);
  return testResults;
}

function nameOf(folder, { name }) {
  return `${folder}, ${name.replace(/^.*\/test\//, "")}`;
}

function printSlowest(task, durations) {
  durations.sort(([a], [b]) => b - a);
  process.stdout.write(`The slowest files of ${task}, in seconds:\n`);
  for (const [seconds, name] of durations.slice(0, 10))
    process.stdout.write(`${seconds.toFixed(1).padStart(8)}  ${name}\n`);
}

function addFailures(name, result) {
  const { status, message, assertionResults } = result;
  const file = nameOf(name, result);
  const failed = assertionResults.filter((test) => test.status === "failed");
  for (const { fullName, failureMessages } of failed)
    failures.push(`${file}: ${fullName}\n${firstLines(failureMessages.join("\n"))}`);
  if (status === "failed" && failed.length === 0) failures.push(`${file}\n${firstLines(message)}`);
}

function firstLines(text) {
  return text
    .split("\n")
    .filter((line) => !line.includes("node_modules"))
    .slice(0, 8)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join("\n");
}
