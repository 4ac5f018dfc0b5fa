/** The alphabet of base64url: each character is six bits. */
export const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const CHARACTER_BITS = 6

const toBits = (value: number, count: number): string => value.toString(2).padStart(count, '0')

const BITS = new Map([...BASE64URL].map((char, value) => [char, toBits(value, CHARACTER_BITS)]))

/** How many bits a number of so many decimal digits takes. The standard gives one bit to no digits. */
const bitsOfDigits = (digits: number): number => Math.ceil(digits * Math.log2(10) + 0.01)

/**
 * Reads a text of base64url as a sequence of bits. What is read beyond its end is zero, and `isMalformed` is then true, so
 * that callers check once, when they have read everything.
 */
export class BitReader {
  isMalformed = false
  readonly #bits: string
  #at = 0

  constructor(text: string) {
    this.#bits = [...text].map((char) => BITS.get(char) ?? '').join('')
    this.isMalformed = this.#bits.length !== CHARACTER_BITS * text.length
  }

  get left(): number {
    return this.#bits.length - this.#at
  }

  /** What is left fills up the last character. */
  get isPadding(): boolean {
    return !this.#bits.includes('1', this.#at)
  }

  readNumber(bits: number): number {
    return Number.parseInt(this.#take(bits) || '0', 2)
  }

  /** Reads so many decimal digits, which are stored as one number. */
  readDigits(count: number): string {
    const number = BigInt(`0b${this.#take(bitsOfDigits(count)) || '0'}`)
    const digits = count === 0 ? '' : number.toString().padStart(count, '0')
    if (digits.length > count) this.isMalformed = true
    return digits
  }

  readText(count: number, alphabet: string): string {
    const bits = Math.log2(alphabet.length)
    return Array.from({ length: count }, () => alphabet[this.readNumber(bits)]).join('')
  }

  #take(bits: number): string {
    if (bits > this.left) this.isMalformed = true
    const taken = this.#bits.slice(this.#at, this.#at + bits)
    this.#at += taken.length
    return taken
  }
}

/** Writes bits, and returns them as base64url. */
export class BitWriter {
  #bits = ''

  writeNumber(value: number, bits: number): void {
    this.#bits += toBits(value, bits)
  }

  writeDigits(digits: string): void {
    this.#bits += BigInt(digits).toString(2).padStart(bitsOfDigits(digits.length), '0')
  }

  writeText(text: string, alphabet: string): void {
    for (const char of text) this.writeNumber(alphabet.indexOf(char), Math.log2(alphabet.length))
  }

  toString(): string {
    const characters = this.#bits.match(/.{1,6}/g) ?? []
    return characters.map((bits) => BASE64URL[Number.parseInt(bits.padEnd(CHARACTER_BITS, '0'), 2)]).join('')
  }
}
