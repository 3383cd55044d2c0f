import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { Cluster } from "../cluster/cluster.ts";
import type { Service } from "../cluster/service.ts";
import type { Submission } from "./marked-submission.ts";
import { isAcknowledged } from "./submit.ts";

/** What a reading of a user gives. */
export interface Reading {
  kycRecordId: string;
  status: string | null;
  documentExpiry: string | null;
  renewal: { kycRecordId: string; status: string | null } | null;
}

/** A user whose approval stands, and whose document has expired. */
export interface ApprovedUser {
  submission: Submission;
  kycRecordId: string;
}

type Reader = Pick<Service, "url">;

/** Reads a user of the first platform; undefined without a response. */
export async function readUser(
  { keys }: Cluster,
  { url }: Reader,
  { memberId }: Submission,
): Promise<Reading | undefined> {
  const address = `${url}/openapi/v1/users/kyc?memberId=${encodeURIComponent(memberId)}`;
  const headers = { authorization: `Bearer ${keys.first}` };
  const response = await fetch(address, { headers }).catch(() => undefined);
  return response?.status === 200 ? ((await response.json()) as Reading) : undefined;
}

/** Submits new users with expired documents; the sandbox approves them. */
export async function approvedUsers(
  cluster: Cluster,
  service: Service,
  size: number,
): Promise<ApprovedUser[]> {
  const all = Array.from({ length: size }, async () => {
    const submission = cluster.newSubmission("approved", { documentExpiryDate: "2019-02-27" });
    const { body } = await cluster.submit(service, submission);
    expect(body).toMatchObject({ status: "APPROVED" });
    return { submission, kycRecordId: body.kycRecordId ?? "" };
  });
  return Promise.all(all);
}

/** What a renewal changes: the document. */
export const anotherDocument = ({ submission }: ApprovedUser, number: number): Partial<Submission> => ({
  documentNumber: `${submission.documentNumber} ${number}`,
  documentExpiryDate: "2048-04-11",
});

/** The submission of a user's renewal. */
export const renewalOf = (cluster: Cluster, user: ApprovedUser, number = 1): Submission =>
  cluster.changed(user.submission, anotherDocument(user, number));

/** Gives a user an e-mail with another tag, with which the sandbox decides about the renewal. */
export async function changeTag(
  cluster: Cluster,
  service: Reader,
  { submission, kycRecordId }: ApprovedUser,
  tag: string,
): Promise<ApprovedUser> {
  const email = submission.email.replace(/\+.*@/, `+${tag}@`);
  expect(await cluster.changeEmail(service, { memberId: submission.memberId, email })).toBe(200);
  return { submission: { ...submission, email }, kycRecordId };
}

/**
 * Reads users again and again while their renewals run, and expects each reading to give an approval: the one that stood
 * before, or its renewal.
 */
export async function whileApproved(
  cluster: Cluster,
  reader: Reader,
  users: readonly ApprovedUser[],
  act: () => Promise<unknown>,
): Promise<void> {
  let ended = false;
  const watch = async ({ submission, kycRecordId }: ApprovedUser) => {
    let renewed: string | undefined;
    do {
      const reading = await readUser(cluster, reader, submission);
      if (reading) {
        expect(reading.status).toBe("APPROVED");
        if (renewed !== undefined) expect(reading.kycRecordId).toBe(renewed);
        if (reading.kycRecordId !== kycRecordId) renewed = reading.kycRecordId;
        if (renewed === undefined) expect(reading).toMatchObject({ kycRecordId, documentExpiry: "expired" });
      }
      await wait(20);
    } while (!ended);
  };
  const watchers = Promise.all(users.map(watch));
  try {
    await act();
  } finally {
    ended = true;
    await watchers;
  }
}

/** Submits a renewal until it is acknowledged. */
export async function renew(cluster: Cluster, service: Reader, submission: Submission) {
  const reply = await cluster.submit(service, submission);
  return isAcknowledged(reply) ? reply : cluster.retry(submission);
}
