import { z } from 'zod'
import { field, operations } from '../../../platform/contract/index.ts'
import { Language } from '../../../platform/contract/languages.ts'
import { RESERVED_WORDS } from '../../../platform/contract/reserved-words.ts'

const name = field.name(200).meta({ examples: ['Acme'] })

export const OrganisationSlug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
    error: 'Must be 1 to 63 lower-case letters, digits or -, not starting or ending with -',
  })
  .refine((slug) => !RESERVED_WORDS.has(slug), { error: 'This word is part of our own addresses. Choose another one' })
  .meta({
    description: 'The short name in public addresses. Addresses with an earlier slug keep working.',
    examples: ['acme'],
  })

const defaultLanguage = Language.describe('For what has no language of its own.')

const fallbackUrl = field.webUrl.describe(
  'Your website. Visitors find a link to it on the page of a code that is paused, not set up or deleted.',
)

const redirectStatus = z.union([z.literal(302), z.literal(307)], { error: 'Must be 302 or 307' }).meta({
  description:
    'The HTTP status with which scans redirect. Browsers treat both alike; some programs for GS1 Digital Links expect 307. The next scan uses a change.',
  examples: [302],
})
export type RedirectStatus = z.infer<typeof redirectStatus>

const brandFields = {
  primary_color: field.hexColor
    .nullable()
    .describe('The accent: buttons have it as it is, links in a shade that is readable.'),
  corner_radius: z
    .int()
    .min(0)
    .max(48)
    .nullable()
    .meta({ description: 'Of cards, buttons and fields, in pixels.', examples: [8] }),
  light_background: field.hexColor.nullable().describe('Behind everything, in light mode.'),
  dark_background: field.hexColor
    .nullable()
    .describe('The same in dark mode. Null: a dark colour that is computed from `light_background`.'),
}

const OrganisationBrand = z.object(brandFields).meta({
  id: 'OrganisationBrand',
  description:
    'The colours and corners of your public pages, help centres, chats, notices and mails, with `logo_url`. Null is the look of Waymark. A knowledge base or chatbot that has a logo or colour of its own keeps it. Colours of texts are computed, so that they are readable.',
})

const OrganisationBrandUpdate = z
  .strictObject({
    primary_color: brandFields.primary_color.optional(),
    corner_radius: brandFields.corner_radius.optional(),
    light_background: brandFields.light_background.optional(),
    dark_background: brandFields.dark_background.optional(),
  })
  .meta({ id: 'OrganisationBrandUpdate', description: 'Fields that you omit keep their value.' })

const logoUrl = field.httpsUrl
  .nullable()
  .describe('The logo at the top of your public pages, and in your mails if it is an uploaded asset.')

export const OrganisationProfile = z
  .object({
    object: z.literal('organisation'),
    id: field.id,
    name,
    slug: OrganisationSlug,
    default_language: defaultLanguage,
    time_zone: field.timeZone,
    logo_url: logoUrl,
    brand: OrganisationBrand,
    fallback_url: fallbackUrl.nullable(),
    redirect_status: redirectStatus,
    deletes_at: field.timestamp
      .nullable()
      .describe('When the organisation and everything in it will be deleted. Null unless an owner has asked for that.'),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'Organisation', description: 'Your organisation. Everything else belongs to it.' })
export type OrganisationProfile = z.infer<typeof OrganisationProfile>

export const OrganisationUpdate = z
  .strictObject({
    name: name.optional(),
    slug: OrganisationSlug.optional(),
    default_language: defaultLanguage.optional(),
    time_zone: field.timeZone.optional(),
    logo_url: logoUrl.optional(),
    brand: OrganisationBrandUpdate.optional(),
    fallback_url: fallbackUrl.nullable().optional(),
    redirect_status: redirectStatus.optional(),
  })
  .meta({ id: 'OrganisationUpdate' })
export type OrganisationUpdate = z.output<typeof OrganisationUpdate>

export const organisation = operations(
  {
    name: 'organisation',
    title: 'Organisation',
    about: 'Your organisation: its name, its slug in public addresses, its language, time zone, logo and brand.',
    area: 'team',
  },
  {
    get: { method: 'GET', path: '/organisation', summary: 'Get your organisation', ok: OrganisationProfile },
    update: {
      method: 'PATCH',
      path: '/organisation',
      summary: 'Change your organisation',
      description:
        'A new slug changes the addresses of your products. Addresses with an earlier slug keep working, because they may be in print. No other organisation can get one of your earlier slugs.',
      body: OrganisationUpdate,
      ok: OrganisationProfile,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ name: `Acme ${n}`, time_zone: 'Europe/Berlin' }),
    },
  },
)
