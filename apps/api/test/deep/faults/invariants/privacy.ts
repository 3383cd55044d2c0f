import { formsOfMemberId, personalData } from "../clients/marked-submission.ts";
import type { Cluster } from "../cluster/cluster.ts";

/** I5: the provider receives nothing that is made from a member id. */
export function sentMemberIds({ services, submissions }: Cluster): string[] {
  const sent = services.flatMap(({ provider }) => provider.seen.map(({ text }) => text)).join("\n");
  return submissions
    .flatMap(({ memberId }) => formsOfMemberId(memberId))
    .filter((form) => sent.includes(form))
    .map((form) => `I5: the provider was sent ${form}`);
}

/** I7: no log contains personal data. */
export function loggedPersonalData({ services, submissions, accepted, answers }: Cluster): string[] {
  const output = services.map((service) => service.output()).join("\n");
  const files = answers.map(({ fileUrl }) => fileUrl);
  return [...submissions.flatMap(personalData), ...accepted.map(({ email }) => email), ...files]
    .filter((value) => output.includes(value))
    .map((value) => `I7: ${value} is in a log`);
}
