// Runs in the browser, as a part of scripts that send something.

/** Finds a number that makes the hash of both begin with this many zero bits. In slices, so that the page reacts. */
// biome-ignore lint/correctness/noUnusedVariables: scripts that begin with this one call it
async function prove({ challenge, bits }) {
  for (let n = 0; ; ) {
    const end = performance.now() + 20
    while (performance.now() < end) if (hash(`${challenge}:${++n}`) >>> (32 - bits) === 0) return `${challenge}:${n}`
    await new Promise((resolve) => setTimeout(resolve))
  }
}

const primes = []
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n)
/** The first 32 bits of the fractional part. */
const part = (root) => ((root % 1) * 2 ** 32) | 0
const K = primes.map((prime) => part(Math.cbrt(prime)))
const H = primes.slice(0, 8).map((prime) => part(Math.sqrt(prime)))
const W = new Int32Array(64)
const turn = (x, by) => (x >>> by) | (x << (32 - by))

/**
 * The first 32 bits of SHA-256 of at most 55 letters. `crypto.subtle` is slower for so many short texts, and missing
 * without HTTPS.
 */
function hash(text) {
  const { length } = text
  W.fill(0)
  for (let i = 0; i <= length; i++) W[i >> 2] |= (i < length ? text.charCodeAt(i) : 128) << (24 - 8 * (i % 4))
  W[15] = length * 8
  let [a, b, c, d, e, f, g, h] = H
  for (let i = 0; i < 64; i++) {
    if (i > 15) {
      const x = W[i - 15]
      const y = W[i - 2]
      W[i] = W[i - 16] + W[i - 7] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))
    }
    const x = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + W[i]
    const y = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + x) | 0
    d = c
    c = b
    b = a
    a = (x + y) | 0
  }
  return (a + H[0]) | 0
}
