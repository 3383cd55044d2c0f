import * as z from "zod";

const text = z.string().min(1).max(4096);
const fileUrl = text.refine((url) => URL.canParse(url), "Must be an absolute URL.");

/** The body of `PUT /v1/kyc/{reference}`. Unknown fields are kept. */
export const submissionSchema = z.looseObject({
  userReference: text,
  fingerprint: text.optional(),
  /** The reference of the user's approved submission that this one renews. */
  renews: text.optional(),
  applicant: z.looseObject({
    email: text.regex(/^[^\s@]+@[^\s@]+$/),
    fullName: text,
    birthDate: z.iso.date(),
    gender: text,
    nationality: text,
    phone: z.looseObject({ countryCode: text, number: text }),
    address: text,
    annualIncome: text,
    occupation: text,
    position: text,
  }),
  document: z
    .looseObject({
      type: text,
      number: text,
      country: text,
      expiryDate: z.iso.date().nullable(),
      permanentlyValid: z.boolean(),
      frontImageUrl: fileUrl,
      backImageUrl: fileUrl.nullable(),
      selfieImageUrl: fileUrl,
    })
    .refine(({ expiryDate, permanentlyValid }) => (expiryDate === null) === permanentlyValid, {
      path: ["expiryDate"],
      message: "Must be null exactly when permanentlyValid is true.",
    }),
  supportingDocuments: z.array(z.looseObject({ type: text, fileUrl })),
});

export type Submission = z.infer<typeof submissionSchema>;

/** A card in a list. Cards of `PUT /_cards` may have further fields, which are listed unchanged. */
export const cardSchema = z.looseObject({
  userReference: text,
  cardId: text,
  status: text,
  memberId: text.nullish(),
  cardAccountId: text.nullish(),
  type: text.nullish(),
  network: text.nullish(),
  last4: text.nullish(),
  expiryMonth: z.int().nullish(),
  expiryYear: z.int().nullish(),
  nameOnCard: text.nullish(),
  currency: text.nullish(),
  createdAt: z.iso.datetime({ offset: true }).nullish(),
});

export type Card = z.infer<typeof cardSchema>;

export const cardsBodySchema = z.object({ cards: z.array(cardSchema) });

/** The body of an answer to a document request. */
export const answerSchema = z.object({
  userReference: text,
  documents: z.array(z.object({ type: text, fileUrl })).min(1),
});

export type AnswerBody = z.infer<typeof answerSchema>;

const ofAct = { key: text, userReference: text, reference: text.nullable() };

/** The body of `POST /v1/acts`. */
export const actSchema = z.discriminatedUnion("act", [
  z.object({ ...ofAct, act: z.enum(["approve", "issue-card"]) }),
  z.object({ ...ofAct, act: z.literal("reject"), reasonCode: text.optional() }),
  z.object({ ...ofAct, act: z.literal("ask-document"), documentType: text }),
  z.object({ ...ofAct, act: z.enum(["lock-card", "unlock-card", "lose-card"]), cardId: text }),
]);

export type Act = z.infer<typeof actSchema>;

const count = z
  .string()
  .regex(/^[0-9]{1,9}$/)
  .transform(Number);

/** The query of `GET /v1/cards`. */
export const cardQuerySchema = z.object({
  userReference: text,
  status: text.optional(),
  page: count.pipe(z.number().min(1)).default(1),
  pageSize: count.pipe(z.number().min(1).max(100)).default(20),
  sort: z.literal("-createdAt,cardId").optional(),
});

/** The query of `GET /v1/kyc`. */
export const executionQuerySchema = z.object({
  from: z.iso.datetime({ offset: true }),
  cursor: count.optional(),
});

export type ExecutionQuery = z.infer<typeof executionQuerySchema>;

export type CardQuery = z.infer<typeof cardQuerySchema>;
