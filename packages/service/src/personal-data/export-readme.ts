import type { UserFacts } from "@cardbridge/domain";

/** The page that explains an export to the person whom it is about. */
export function exportReadme({ platformId, externalUserId }: UserFacts): string {
  return `This archive has the data that cardbridge stores about one person.
Cardbridge passes identity checks (KYC) of the platform ${platformId} to a card provider.
In cardbridge the person has the id ${externalUserId}.

What is inside
  person.json     the person's names on the platform: member id and e-mail, with dates, and a list of the files.
                  The e-mail is null if it now belongs to another person of the platform.
  records/        one file for each submitted identity check: the submitted fields, the result with its reasons,
                  whether the document expires or has expired, the check that it renews, the further documents that
                  the card provider asked for, with the answers, each change with its time and source, the ids that the
                  card provider returned, the notes of operators, and the messages that reported the changes to the
                  platform.
  files/          the uploaded images and documents, as they are stored: images were re-encoded at the upload.
  access/         who read or changed this data: when, by which operation, with which outcome and from which
                  network address. The actor is the id of an API key of the platform, claim:<name> for an operator,
                  worker for the service itself, or provider for the card provider.
                  It reaches back as far as the audit is kept.
All times are in UTC. After an erasure the names, the submitted fields and the files no longer exist.

What is not inside
  - What the card provider stores, such as cards, transactions and its own checks: ask the card provider.
  - What the platform stores in its own systems: ask the platform.
  - Images or documents that a submission or an answer names by an address outside cardbridge: only the address is stored.
  - Reasons of a decision, and notes, that only compliance may know.
  - Reads that concern no single person or store nothing: lists of changes, and lists of cards, which cardbridge
    requests from the card provider.
  - Keyed hashes that find or compare data, encryption keys, and idempotency keys of the platform's calls.
`;
}
