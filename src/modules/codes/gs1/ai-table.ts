/**
 * The application identifiers (AIs) that a GS1 Digital Link can have: the one table from which links are parsed, checked
 * and written. Formats are written as in the GS1 General Specifications: `N14` is fourteen digits, `X..20` one to twenty
 * characters of set 82, `Y..30` of set 39, `+` joins two parts and a part in brackets can be left out.
 */
export interface ApplicationIdentifier {
  title: string
  format: string
  /** How many digits, the last of which is a check digit, begin at `checkFrom` (0 unless given). */
  checkDigits?: number
  checkFrom?: number
  /** What the digits must mean, besides their number. */
  rule?: 'date' | 'exact_date' | 'date_time' | 'no_leading_zero' | 'leading_zero' | 'yes_no'
  /** Starts with a GS1 company prefix, so with at least four digits. */
  startsWithPrefix?: true
  /** Only of primary keys, with which a link begins: the qualifiers of one of these lists may follow, in its order. */
  qualifiers?: readonly (readonly string[])[]
}

const text = (title: string, max: number): ApplicationIdentifier => ({ title, format: `X..${max}` })
const digits = (title: string, count: number): ApplicationIdentifier => ({ title, format: `N${count}` })
const date = (title: string): ApplicationIdentifier => ({ title, format: 'N6', rule: 'date' })
const place = (title: string): ApplicationIdentifier => ({ title, format: 'N13', checkDigits: 13 })
const yesNo = (title: string): ApplicationIdentifier => ({ title, format: 'N1', rule: 'yes_no' })

/** The fourth digit says how many decimals the value has. */
const measures = (from: number, to: number, title: string): Record<string, ApplicationIdentifier> => {
  const rows: Record<string, ApplicationIdentifier> = {}
  for (let kind = from; kind <= to; kind++) for (let d = 0; d <= 5; d++) rows[`${kind}${d}`] = digits(title, 6)
  return rows
}

const numbered = (from: number, to: number, row: ApplicationIdentifier): Record<string, ApplicationIdentifier> =>
  Object.fromEntries(Array.from({ length: to - from + 1 }, (_, n) => [String(from + n), row]))

export const AI_TABLE: Readonly<Record<string, ApplicationIdentifier>> = {
  // Primary keys.
  '00': { title: 'Serial shipping container (SSCC)', format: 'N18', checkDigits: 18, qualifiers: [[]] },
  '01': { title: 'Product (GTIN)', format: 'N14', checkDigits: 14, qualifiers: [['22', '10', '21'], ['235']] },
  '253': { title: 'Document (GDTI)', format: 'N13+[X..17]', checkDigits: 13, qualifiers: [[]] },
  '255': { title: 'Coupon (GCN)', format: 'N13+[N..12]', checkDigits: 13, qualifiers: [[]] },
  '414': { title: 'Location (GLN)', format: 'N13', checkDigits: 13, qualifiers: [['254'], ['7040']] },
  '8003': {
    title: 'Returnable asset (GRAI)',
    format: 'N14+[X..16]',
    checkDigits: 13,
    checkFrom: 1,
    rule: 'leading_zero',
    qualifiers: [[]],
  },
  '8004': { title: 'Individual asset (GIAI)', format: 'X..30', startsWithPrefix: true, qualifiers: [['7040']] },
  '8010': { title: 'Component or part (CPID)', format: 'Y..30', startsWithPrefix: true, qualifiers: [['8011']] },
  '8017': { title: 'Service provider (GSRN)', format: 'N18', checkDigits: 18, qualifiers: [['8019']] },
  '8018': { title: 'Service recipient (GSRN)', format: 'N18', checkDigits: 18, qualifiers: [['8019']] },

  // Their qualifiers.
  '10': text('Batch or lot', 20),
  '21': text('Serial number', 20),
  '22': text('Consumer product variant', 20),
  '235': text('Third-party controlled extension of the GTIN', 28),
  '254': text('Extension of a GLN', 20),
  '7040': { title: 'Unique identification code with extensions', format: 'N1+X3' },
  '8011': { title: 'Serial number of a component', format: 'N..12', rule: 'no_leading_zero' },
  '8019': { title: 'Service relation instance', format: 'N..10' },

  // Attributes, which follow in the query.
  '02': { title: 'GTIN of contained items', format: 'N14', checkDigits: 14 },
  '11': date('Production date'),
  '12': date('Due date'),
  '13': date('Packaging date'),
  '15': date('Best before date'),
  '16': date('Sell by date'),
  '17': date('Expiration date'),
  '20': digits('Internal product variant', 2),
  '240': text('Additional product identification', 30),
  '241': text('Customer part number', 30),
  '242': { title: 'Made-to-order variation', format: 'N..6' },
  '243': text('Packaging component number', 20),
  '250': text('Secondary serial number', 30),
  '251': text('Reference to source', 30),
  '30': { title: 'Variable count', format: 'N..8' },
  ...measures(310, 316, 'Trade measure'),
  ...measures(320, 329, 'Trade measure'),
  ...measures(330, 337, 'Logistic measure'),
  ...measures(340, 349, 'Logistic measure'),
  ...measures(350, 357, 'Trade measure'),
  ...measures(360, 369, 'Trade measure'),
  '37': { title: 'Count of contained items', format: 'N..8' },
  ...numbered(3900, 3909, { title: 'Amount payable', format: 'N..15' }),
  ...numbered(3910, 3919, { title: 'Amount payable with currency', format: 'N3+N..15' }),
  ...numbered(3920, 3929, { title: 'Price of a variable measure item', format: 'N..15' }),
  ...numbered(3930, 3939, { title: 'Price with currency', format: 'N3+N..15' }),
  ...numbered(3940, 3943, digits('Percentage discount', 4)),
  ...numbered(3950, 3955, digits('Price per unit of measure', 6)),
  '400': text('Order number', 30),
  '401': { title: 'Consignment (GINC)', format: 'X..30', startsWithPrefix: true },
  '402': { title: 'Shipment (GSIN)', format: 'N17', checkDigits: 17 },
  '403': text('Routing code', 30),
  '410': place('Ship to'),
  '411': place('Bill to'),
  '412': place('Purchased from'),
  '413': place('Ship for'),
  '415': place('Invoicing party'),
  '416': place('Production or service location'),
  '417': place('Party'),
  '420': text('Ship to postal code', 20),
  '421': { title: 'Ship to country and postal code', format: 'N3+X..9' },
  '422': digits('Country of origin', 3),
  '423': { title: 'Countries of initial processing', format: 'N3+[N..12]' },
  '424': digits('Country of processing', 3),
  '425': { title: 'Countries of disassembly', format: 'N3+[N..12]' },
  '426': digits('Country of the full process', 3),
  '427': text('Subdivision of the country of origin', 3),
  '4300': text('Ship to company', 35),
  '4301': text('Ship to contact', 35),
  ...numbered(4302, 4306, text('Ship to address', 70)),
  '4307': { title: 'Ship to country', format: 'X2' },
  '4308': text('Ship to telephone', 30),
  '4309': digits('Ship to position', 20),
  '4310': text('Return to company', 35),
  '4311': text('Return to contact', 35),
  ...numbered(4312, 4316, text('Return to address', 70)),
  '4317': { title: 'Return to country', format: 'X2' },
  '4318': text('Return to postal code', 20),
  '4319': text('Return to telephone', 30),
  '4320': text('Service description', 35),
  '4321': yesNo('Dangerous goods'),
  '4322': yesNo('Authority to leave'),
  '4323': yesNo('Signature required'),
  '4324': { title: 'Deliver not before', format: 'N10', rule: 'date_time' },
  '4325': { title: 'Deliver not after', format: 'N10', rule: 'date_time' },
  '4326': { title: 'Release date', format: 'N6', rule: 'exact_date' },
  ...numbered(4330, 4333, { title: 'Temperature limit', format: 'N6+[X1]' }),
  '7001': digits('NATO stock number', 13),
  '7002': text('Meat cut', 30),
  '7003': { title: 'Expiration date and time', format: 'N10', rule: 'date_time' },
  '7004': { title: 'Active potency', format: 'N..4' },
  '7005': text('Catch area', 12),
  '7006': { title: 'First freeze date', format: 'N6', rule: 'exact_date' },
  '7007': { title: 'Harvest date', format: 'N6+[N6]', rule: 'exact_date' },
  '7008': text('Aquatic species', 3),
  '7009': text('Fishing gear type', 10),
  '7010': text('Production method', 2),
  '7011': { title: 'Test by date', format: 'N6+[N4]', rule: 'exact_date' },
  '7020': text('Refurbishment lot', 20),
  '7021': text('Functional status', 20),
  '7022': text('Revision status', 20),
  '7023': { title: 'Asset of an assembly (GIAI)', format: 'X..30', startsWithPrefix: true },
  ...numbered(7030, 7039, { title: 'Processor with country', format: 'N3+X..27' }),
  ...numbered(710, 715, text('National healthcare number', 20)),
  ...numbered(7230, 7239, { title: 'Certification reference', format: 'X2+X..28' }),
  '7240': text('Protocol', 20),
  '7241': digits('AIDC media type', 2),
  '7242': text('Version control number', 25),
  '8001': digits('Dimensions of a roll', 14),
  '8002': text('Mobile telephone', 20),
  '8005': digits('Price per unit', 6),
  '8006': { title: 'Piece of a product (ITIP)', format: 'N18', checkDigits: 14 },
  '8007': text('IBAN', 34),
  '8008': { title: 'Production date and time', format: 'N8+[N..4]', rule: 'exact_date' },
  '8009': text('Sensor indicator', 50),
  '8012': text('Software version', 20),
  '8013': { title: 'Model (GMN)', format: 'X..25', startsWithPrefix: true },
  '8020': text('Payment slip reference', 25),
  '8026': { title: 'Contained pieces of a product', format: 'N18', checkDigits: 14 },
  '8030': { title: 'Digital signature', format: 'Z..90' },
  '8110': text('Coupon (North America)', 70),
  '8111': digits('Loyalty points', 4),
  '8112': text('Paperless coupon (North America)', 70),
  '8200': text('Extended packaging URL', 70),
  '90': text('Agreed between trading partners', 30),
  ...numbered(91, 99, text('Company internal', 90)),
}

/** The primary keys that we resolve. */
export const PRIMARY_KEYS: readonly string[] = Object.keys(AI_TABLE)
  .filter((ai) => AI_TABLE[ai]?.qualifiers !== undefined)
  .sort()
