/** Runs an operation batch by batch until no batch follows, and returns the sum of all batches. */
export async function runBatches<O>(
  execute: (input: object) => Promise<O>,
  input: object,
  { add, progress }: { add(sum: O, batch: O): O; progress(line: string): void },
): Promise<O> {
  for (let sum: O = await execute(input); ; ) {
    const { next = null, ...counts } = sum as { next?: unknown };
    if (next === null) return sum;
    const numbers = Object.entries(counts).filter(([, count]) => typeof count === "number");
    progress(`${numbers.map(([name, count]) => `${name} ${count}`).join(", ")} …`);
    sum = add(sum, await execute({ ...input, after: next }));
  }
}
