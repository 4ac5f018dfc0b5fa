const PRODUCTS = 3000
const OBJECTS = 5000
const CODES = 2000

const ITEMS_PER_REQUEST = 1000
/** A body may have 1 MiB. */
const BYTES_PER_REQUEST = 1_000_000

export interface Batch {
  path: string
  body: string
  items: number
}

/** The data of a furniture maker: everything has properties, URL params and a destination. */
export function toBatches(): Batch[] {
  return [
    ...split(
      '/v1/products/batch',
      Array.from({ length: PRODUCTS }, (_, n) => product(n)),
    ),
    ...split(
      '/v1/objects/batch',
      Array.from({ length: OBJECTS }, (_, n) => object(n)),
    ),
    ...split(
      '/v1/qr-codes/batch',
      Array.from({ length: CODES }, (_, n) => code(n)),
    ),
  ]
}

const product = (n: number) => ({
  gtin: toGtin(n),
  name: `Oak chair ${n}, oiled, with a seat of wool`,
  description: 'Solid oak from certified forests, oiled by hand. The seat can be taken off and washed at 30 °C.',
  metadata: { collection: n % 12, weight_kg: 4 + (n % 7) },
  ...common('product', n),
})

const object = (n: number) => ({
  external_id: `SN-${String(n).padStart(7, '0')}`,
  type: 'chair',
  name: `Oak chair, serial number ${n}`,
  metadata: { built_on: '2026-03-14', station: n % 9 },
  ...common('object', n),
})

const code = (n: number) => ({
  external_id: `sign-${n}`,
  name: `Sign ${n} in the showroom`,
  ...common('sign', n),
})

const common = (medium: string, n: number) => ({
  destination: { url: `https://acme.com/chairs/${n % 100}` },
  properties: ['Oak', 'Oiled', 'Wool', 'Made in Acme', String(n)].map((value, at) => ({
    key: `property-${at}`,
    value,
  })),
  url_params: [{ key: 'utm_medium', value: medium }],
})

/** 950 is the prefix for examples. */
function toGtin(n: number): string {
  const digits = `950${String(n).padStart(9, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return digits + ((10 - (sum % 10)) % 10)
}

/** Makes as few requests as the limits allow. */
function split(path: string, items: readonly object[]): Batch[] {
  const batches: Batch[] = []
  let texts: string[] = []
  let bytes = 0
  const end = () => {
    if (texts.length > 0) batches.push({ path, body: `{"items":[${texts.join()}]}`, items: texts.length })
    texts = []
    bytes = 0
  }
  for (const item of items) {
    const text = JSON.stringify(item)
    if (texts.length === ITEMS_PER_REQUEST || bytes + text.length > BYTES_PER_REQUEST) end()
    texts.push(text)
    bytes += Buffer.byteLength(text) + 1
  }
  end()
  return batches
}
