/** The name of member `number`, from 1. */
export const memberId = (number) => `member-${number}`;

/** So many members as the lines of a CSV that `cardbridge users import` takes. */
export function* members(count) {
  yield "memberId,email,externalUserId\n";
  for (let number = 1; number <= count; number += 1) {
    yield `${memberId(number)},member-${number}@example.com,usr_bench_${number}\n`;
  }
}
