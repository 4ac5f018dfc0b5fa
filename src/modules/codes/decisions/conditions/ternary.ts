/** The values of Kleene's logic, in the order in which `all` takes the lowest and `any` the highest. */
export const FALSE = 0
export const UNKNOWN = 1
export const TRUE = 2
export type Ternary = typeof FALSE | typeof UNKNOWN | typeof TRUE

const NAMES = { [FALSE]: 'false', [UNKNOWN]: 'unknown', [TRUE]: 'true' } as const
export type ResultName = (typeof NAMES)[Ternary]
export const nameResult = (result: Ternary): ResultName => NAMES[result]

export type Test<Input> = (input: Input) => Ternary

export const known = (isTrue: boolean): Ternary => (isTrue ? TRUE : FALSE)

export function allOf<Input>(tests: readonly Test<Input>[]): Test<Input> {
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only
  return (input) => {
    let lowest: Ternary = TRUE
    for (const test of tests) {
      const result = test(input)
      if (result === FALSE) return FALSE
      if (result < lowest) lowest = result
    }
    return lowest
  }
}

export function anyOf<Input>(tests: readonly Test<Input>[]): Test<Input> {
  return (input) => {
    let highest: Ternary = FALSE
    for (const test of tests) {
      const result = test(input)
      if (result === TRUE) return TRUE
      if (result > highest) highest = result
    }
    return highest
  }
}

export const not =
  <Input>(test: Test<Input>): Test<Input> =>
  (input) =>
    (TRUE - test(input)) as Ternary
