import type { Cardholder, NewCardholder } from "./wire.ts";

/** Whether two e-mail addresses are equal for Airwallex, which may ignore case. */
export function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Whether a cardholder has the submitted e-mail, type, names, birth date and mobile number. Airwallex may change the
 * case and the spaces of names and numbers.
 */
export function isSameCardholder(found: Cardholder, sent: NewCardholder): boolean {
  const { individual, mobile_number = sent.mobile_number, type = sent.type } = found;
  return (
    individual !== undefined &&
    isSameEmail(found.email, sent.email) &&
    type === sent.type &&
    individual.date_of_birth === sent.individual.date_of_birth &&
    isSameText(individual.name.first_name, sent.individual.name.first_name) &&
    isSameText(individual.name.last_name, sent.individual.name.last_name) &&
    digits(mobile_number) === digits(sent.mobile_number)
  );
}

const isSameText = (one: string, other: string) => plain(one) === plain(other);
const plain = (text: string) => text.trim().replace(/\s+/g, " ").toLowerCase();
const digits = (text: string) => text.replace(/\D/g, "");
