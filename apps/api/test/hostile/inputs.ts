import fc from "fast-check";
import { nastyText } from "./nasty-text.ts";
import { print } from "./texts.ts";

/** Mutations of an input's values. */
export type InputMutation = (input: unknown) => unknown;

const nastyNumber = fc.constantFrom(0, -1, 1.5, 1e21, -0, 2 ** 31, 2 ** 53, Number.MAX_VALUE, 1e-7);
const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  nastyNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], { $ne: null }, ["a", "b"]),
  fc.jsonValue({ maxDepth: 3 }),
  fc.nat(60).map((depth) => nest(depth)),
);

function nest(depth: number): unknown {
  return depth === 0 ? "bottom" : depth % 2 ? [nest(depth - 1)] : { a: nest(depth - 1) };
}

/** Changes one value in the input. `where` has one number per level. */
function change(input: unknown, where: number[], by: (value: unknown) => unknown): unknown {
  const [step, ...rest] = where;
  if (step === undefined || typeof input !== "object" || input === null) return by(input);
  const keys = Object.keys(input);
  const key = keys[step % Math.max(keys.length, 1)];
  if (key === undefined) return by(input);
  const changed = change(Reflect.get(input, key), rest, by);
  if (Array.isArray(input)) return input.map((item, index) => (String(index) === key ? changed : item));
  return { ...input, [key]: changed };
}

const where: fc.Arbitrary<number[]> = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.nat(40), { minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.array(fc.nat(40), { minLength: 2, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant<number[]>([]) },
);

const changeAt = (at: number[], by: (value: unknown) => unknown): InputMutation => {
  return (input) => change(input, at, by);
};

export const inputMutation: fc.Arbitrary<InputMutation> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(where, nastyValue).map(([at, value]) => changeAt(at, () => value)) },
  { weight: 2, arbitrary: where.map((at) => changeAt(at, () => undefined)) },
  {
    weight: 2,
    arbitrary: fc.tuple(where, nastyText).map(([at, text]) => changeAt(at, (value) => print(value) + text)),
  },
  { weight: 1, arbitrary: where.map((at) => changeAt(at, (value) => [value, value])) },
  { weight: 2, arbitrary: fc.tuple(nastyText, nastyValue).map(([name, value]) => add(name, value)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(where, fc.integer({ min: 1, max: 3_000 }))
      .map(([at, times]) => changeAt(at, (value) => repeat(value, times))),
  },
);

/** A long array stays as it is: several repetitions together would exceed the longest possible text. */
function repeat(value: unknown, times: number): unknown {
  return Array.isArray(value) && value.length > 20 ? value : Array.from({ length: times }, () => value);
}

function add(name: string, value: unknown): InputMutation {
  return (input) => (typeof input === "object" ? { ...input, [name]: value } : input);
}
