import type { SymbolSize } from './sizes.ts'

/** The field of 256 elements in which Data Matrix calculates: x⁸ + x⁵ + x³ + x² + 1. */
const FIELD = 0x12d
const POWERS = new Uint8Array(510)
const LOGARITHMS = new Uint8Array(256)
for (let exponent = 0, power = 1; exponent < 255; exponent++) {
  POWERS[exponent] = power
  POWERS[exponent + 255] = power
  LOGARITHMS[power] = exponent
  power = power < 128 ? power << 1 : (power << 1) ^ FIELD
}

const at = (bytes: ArrayLike<number>, index: number): number => bytes[index] ?? 0

const multiply = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : at(POWERS, at(LOGARITHMS, a) + at(LOGARITHMS, b))

/** Returns the data followed by its Reed-Solomon codewords, both with the codewords of all blocks taking turns. */
export function addErrorCorrection(data: readonly number[], { blocks, checkWords }: SymbolSize): number[] {
  const divisor = generatorOf(checkWords)
  const checks = Array.from({ length: blocks }, (_, block) =>
    remainder(
      data.filter((_, index) => index % blocks === block),
      divisor,
    ),
  )
  const count = blocks * checkWords
  return [
    ...data,
    ...Array.from({ length: count }, (_, index) => at(checks[index % blocks] ?? [], Math.floor(index / blocks))),
  ]
}

/** The product of (x − 2¹) to (x − 2ⁿ) without its leading 1, highest power first. */
function generatorOf(degree: number): number[] {
  let coefficients = [1]
  for (let root = 1; root <= degree; root++) {
    const factor = at(POWERS, root)
    coefficients = [...coefficients, 0].map((value, n) => value ^ multiply(factor, at(coefficients, n - 1)))
  }
  return coefficients.slice(1)
}

/** Divides the data by the generator. The remainder is what a reader needs to find and correct damaged codewords. */
function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  let rest = new Array<number>(divisor.length).fill(0)
  for (const word of data) {
    const lead = word ^ at(rest, 0)
    rest = divisor.map((coefficient, n) => at(rest, n + 1) ^ multiply(lead, coefficient))
  }
  return rest
}
