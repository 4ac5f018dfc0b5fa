const UNITS = { TiB: 1024 ** 4, GiB: 1024 ** 3, MiB: 1024 ** 2, KiB: 1024 }
const FORM = /^([1-9]\d{0,14})([TGMK]iB)?$/

/** Reads a size such as 5GiB, 500MiB or 1000000 (bytes); undefined if it is malformed. */
export function readByteSize(text: string): number | undefined {
  const [, digits, unit] = FORM.exec(text) ?? []
  if (digits === undefined) return undefined
  const bytes = Number(digits) * (unit === undefined ? 1 : UNITS[unit as keyof typeof UNITS])
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** Writes a size so that `readByteSize` reads the same number: in the largest unit without a fraction. */
export function writeByteSize(bytes: number): string {
  const [unit, factor] = Object.entries(UNITS).find(([, factor]) => bytes % factor === 0) ?? ['', 1]
  return `${bytes / factor}${unit}`
}
