/** Runs an operation batch by batch until there is no next one, and returns the sum. */
export async function runBatches<I, O extends { next: unknown }>(
  execute: (input: I) => Promise<O>,
  input: object,
  { add, onProgress }: { add(sum: O, batch: O): O; onProgress(sum: O): void },
): Promise<Omit<O, "next">> {
  let sum = await execute(input as I);
  while (sum.next !== null) {
    onProgress(sum);
    sum = add(sum, await execute({ ...input, after: sum.next } as I));
  }
  const { next: _, ...total } = sum;
  return total;
}
