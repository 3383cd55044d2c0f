/** The statuses that a new cardholder may have. */
export const initialStatuses = ["INCOMPLETE", "PENDING", "READY", "DISABLED"] as const;

export type InitialStatus = (typeof initialStatuses)[number];

/** The fields of a request that the fake reads. Other fields are stored unchanged. */
export interface Individual {
  name: { first_name: string; middle_name?: string; last_name: string; title?: string };
  date_of_birth: string;
  nationality?: string;
  address: { country: string; state?: string; [field: string]: string | undefined };
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

/** A cardholder with all fields of its requests. */
export interface Cardholder extends NewCardholder {
  cardholder_id: string;
  status: CardholderStatus;
  /** Milliseconds since 1970. Responses omit it. */
  createdAt: number;
}

/** The response of the API. It omits the identification, nationality, consent and creation time. */
export function view(cardholder: Cardholder): object {
  const { cardholder_id, type, status, email, mobile_number, postal_address, individual } = cardholder;
  const { name, date_of_birth, address, employers } = individual;
  const shown = { name, date_of_birth, address, employers };
  return { cardholder_id, type, status, email, mobile_number, postal_address, individual: shown };
}
