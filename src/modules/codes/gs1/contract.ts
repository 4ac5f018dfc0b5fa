import { z } from 'zod'
import { choice } from '../../../platform/contract/index.ts'
import { isWebUrl, toUri, URL_LENGTH_MAX } from '../../../platform/contract/web-url.ts'

/**
 * The link types of the GS1 Web Vocabulary that a link can have, and what such a link leads to. Left out are `defaultLink` and
 * `defaultLinkMulti`, which follow from the default link, and `handledBy`, which is between resolvers.
 */
export const LINK_TYPES = {
  'gs1:activityIdeas': 'Ideas for using the product',
  'gs1:allergenInfo': 'Allergens',
  'gs1:appDownload': 'An app to download',
  'gs1:backgroundInfo': 'Background information',
  'gs1:brandHomepageClinical': 'The brand, for health professionals',
  'gs1:brandHomepagePatient': 'The brand, for patients',
  'gs1:careersInfo': 'Jobs',
  'gs1:certificationInfo': 'Certificates',
  'gs1:consumerHandlingStorageInfo': 'Handling and storage',
  'gs1:dpp': 'Digital product passport',
  'gs1:eifu': 'Instructions for use of a medical device',
  'gs1:epcis': 'A repository of traceability events',
  'gs1:epil': 'Patient information leaflet',
  'gs1:eventsInfo': 'Events',
  'gs1:faqs': 'Questions and answers',
  'gs1:hasRetailers': 'Where to buy it',
  'gs1:homepage': 'The website of the company',
  'gs1:ingredientsInfo': 'Ingredients',
  'gs1:instructions': 'Instructions',
  'gs1:jws': 'Signed data about the product',
  'gs1:leaveReview': 'Where to write a review',
  'gs1:locationInfo': 'A location',
  'gs1:logisticsInfo': 'Transport and storage in the supply chain',
  'gs1:loyaltyProgram': 'Loyalty programme',
  'gs1:masterData': 'Master data',
  'gs1:menuInfo': 'Menu',
  'gs1:nutritionalInfo': 'Nutrition facts',
  'gs1:openingHoursInfo': 'Opening hours',
  'gs1:paymentLink': 'Payment',
  'gs1:pip': 'Product information page',
  'gs1:productSustainabilityInfo': 'Sustainability and recycling of the product',
  'gs1:promotion': 'Promotion',
  'gs1:purchaseSuppliesOrAccessories': 'Supplies and accessories',
  'gs1:quickStartGuide': 'Quick start guide',
  'gs1:recallStatus': 'Whether the product is recalled',
  'gs1:recipeInfo': 'Recipes',
  'gs1:registerProduct': 'Product registration',
  'gs1:registryEntry': 'An entry in a register',
  'gs1:relatedImage': 'Image',
  'gs1:relatedVideo': 'Video',
  'gs1:reportFound': 'Where to report a lost item',
  'gs1:review': 'Reviews',
  'gs1:safetyInfo': 'Safety',
  'gs1:scheduleTime': 'Appointments',
  'gs1:serviceInfo': 'Service and maintenance',
  'gs1:smartLabel': 'SmartLabel',
  'gs1:smpc': 'Product characteristics of a medicine',
  'gs1:socialMedia': 'Social media',
  'gs1:statisticInfo': 'Statistics',
  'gs1:subscribe': 'Subscription',
  'gs1:support': 'Support',
  'gs1:sustainabilityInfo': 'Sustainability of the company',
  'gs1:traceability': 'Traceability',
  'gs1:tutorial': 'Tutorial',
  'gs1:userAgreement': 'User agreement',
  'gs1:verificationService': 'A service that verifies products',
  'gs1:whatsInTheBox': 'What is in the box',
} as const

export const LinkType = choice(LINK_TYPES).meta({
  description: 'What the link leads to: a link type of the GS1 Web Vocabulary.',
  examples: ['gs1:pip'],
})
export type LinkType = z.infer<typeof LinkType>

/** Ends the GS1 key of an object that stands for all keys which begin like it. No GS1 key has a brace. */
export const REST = '{rest}'

/** What an address can have in braces, and the AIs whose value is inserted for it: the first one that the link has. */
export const PLACEHOLDERS = {
  gtin: ['01'],
  cpv: ['22'],
  lot: ['10'],
  serial: ['21', '8011'],
  tpx: ['235'],
  extension: ['254', '7040'],
  instance: ['8019'],
  /** The value of the primary key. */
  key: [],
  /** What follows the key of an object that ends with `{rest}`. */
  rest: [],
} as const satisfies Record<string, readonly string[]>
export type Placeholder = keyof typeof PLACEHOLDERS

export const PLACEHOLDER_NAMES = Object.keys(PLACEHOLDERS) as Placeholder[]
const KNOWN = new RegExp(`%7[Bb](${PLACEHOLDER_NAMES.join('|')})%7[Dd]`, 'g')
/** The scheme and the host of an address. */
export const BEFORE_PATH = /^[a-z]+:\/\/[^/?#]*/i

function placeholderProblem(url: string): string | undefined {
  if (BEFORE_PATH.exec(url)?.[0].includes('{')) return 'Must not have a placeholder in front of the path'
  const unknown = [...url.matchAll(/\{([^{}]*)\}/g)].find(
    ([, name = '']) => !PLACEHOLDER_NAMES.includes(name as Placeholder),
  )
  return (
    unknown &&
    `Must not have the placeholder ${unknown[0]}. Use ${PLACEHOLDER_NAMES.map((name) => `{${name}}`).join(', ')}`
  )
}

/** The scope of a link for any lot or item. No real value has a brace. */
export const ANY = { lot: '{lot}', serial: '{serial}' } as const

/** An address with placeholders such as `{serial}`, which are filled in for each scan. The rest is stored as a URI. */
export const LinkUrl = z
  .string()
  .refine(isWebUrl, { error: `Must be an http or https URL of at most ${URL_LENGTH_MAX} characters` })
  .refine((url) => placeholderProblem(url) === undefined, { error: ({ input }) => placeholderProblem(String(input)) })
  .overwrite((url) => (url.includes('{') ? toUri(url).replace(KNOWN, '{$1}') : toUri(url)))
  .meta({
    pattern: '^[Hh][Tt]{2}[Pp][Ss]?://',
    maxLength: URL_LENGTH_MAX,
    examples: ['https://acme.com/oil?serial={serial}'],
  })
