/** The statuses that a new cardholder may have. */
export const initialStatuses = ["INCOMPLETE", "PENDING", "READY", "DISABLED"] as const;

export type InitialStatus = (typeof initialStatuses)[number];

/** The fields of a request that the fake itself reads. The others pass through as they came. */
export interface Individual {
  name: { first_name: string; middle_name?: string; last_name: string; title?: string };
  date_of_birth: string;
  address: { country: string; [field: string]: string };
  express_consent_obtained: string;
  employers?: object[];
  identification?: {
    country: string;
    expiry_date: string;
    number: string;
    document_front_file_id?: string;
    document_back_file_id?: string;
  };
}

export interface NewCardholder {
  type: string;
  email: string;
  mobile_number?: string;
  individual: Individual;
  postal_address?: { country: string };
}

export type CardholderUpdate = Partial<Omit<NewCardholder, "email">>;

export type CardholderStatus = InitialStatus | "DELETED";

/** A cardholder with everything that was sent for it. */
export interface Cardholder extends NewCardholder {
  cardholder_id: string;
  status: CardholderStatus;
  /** Milliseconds since 1970. No answer has it. */
  createdAt: number;
}

/** The answer of the API. It has no identification, no nationality, no consent, and no time. */
export function view(cardholder: Cardholder): object {
  const { cardholder_id, type, status, email, mobile_number, postal_address, individual } = cardholder;
  const { name, date_of_birth, address, employers } = individual;
  const shown = { name, date_of_birth, address, employers };
  return { cardholder_id, type, status, email, mobile_number, postal_address, individual: shown };
}
