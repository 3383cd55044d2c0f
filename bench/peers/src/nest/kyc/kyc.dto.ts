import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayMinSize,
  Equals,
  IsArray,
  IsEmail,
  IsIn,
  Matches,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from "class-validator";
import type { Submission } from "../../common/submission.js";
import * as v from "../../common/vocabulary.js";
import {
  IfGiven,
  IsCountry,
  IsDay,
  IsFileUrl,
  IsName,
  IsNotInFuture,
  IsText,
  IsWithout,
} from "../http/decorators.js";

class SupportingDocument {
  @IsIn(v.supportingDocumentTypes)
  documentType: (typeof v.supportingDocumentTypes)[number];

  @IsFileUrl()
  fileUrl: string;
}

/** The body of a submission; a field that is needed sometimes says when. */
export class KycSubmission implements Submission {
  @IsEmail()
  @MaxLength(128)
  email: string;

  @IsText(256)
  name: string;

  @IsDay()
  @IsNotInFuture()
  birthday: string;

  @IsIn(v.documentTypes)
  documentType: (typeof v.documentTypes)[number];

  @IsText(256)
  documentNumber: string;

  @IsCountry()
  documentCountry: string;

  @ValidateIf(
    (body: KycSubmission, value) => value !== undefined || body.documentPermanentlyValid === undefined,
  )
  @IsDay()
  @IsWithout("documentPermanentlyValid")
  documentExpiryDate?: string;

  @IfGiven()
  @Equals(true)
  documentPermanentlyValid?: true;

  @IsFileUrl()
  frontImageUrl: string;

  @ValidateIf((body: KycSubmission, value) => value !== undefined || v.twoSided.includes(body.documentType))
  @IsFileUrl()
  backImageUrl?: string;

  @IsFileUrl()
  selfieImageUrl: string;

  @Matches(v.callingCode)
  phoneCountryCode: string;

  @Matches(v.phoneNumber)
  phoneNumber: string;

  @IsIn(v.genders)
  gender: (typeof v.genders)[number];

  @IsIn(v.annualIncomes)
  annualIncome: (typeof v.annualIncomes)[number];

  @IsText(256)
  occupation: string;

  @IsText(256)
  position: string;

  @IsCountry()
  nationality: string;

  @IsText(512)
  contactAddress: string;

  @ValidateIf((body: KycSubmission, value) => value !== undefined || body.documentCountry !== "HK")
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(10)
  @ValidateNested({ each: true })
  @Type(() => SupportingDocument)
  supportingDocuments?: SupportingDocument[];

  @IsName()
  memberId: string;
}
