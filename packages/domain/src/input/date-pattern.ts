/*
 * A pattern for real calendar dates in the form yyyy-MM-dd. A leap year is divisible by 4, and a century by 400.
 */

const dividedBy4 = "(?:[02468][048]|[13579][26])";
const leapYear = `(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|${dividedBy4}00)`;

const anyDay = [
  "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
  "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
  "02-(?:0[1-9]|1[0-9]|2[0-8])",
].join("|");

export const datePattern = `(?:${leapYear}-02-29|[0-9]{4}-(?:${anyDay}))`;
