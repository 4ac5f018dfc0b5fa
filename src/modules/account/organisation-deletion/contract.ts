import { z } from 'zod'
import { operations } from '../../../platform/contract/index.ts'
import { OrganisationProfile } from '../organisations/contract.ts'

export const DeletionRequest = z
  .strictObject({
    slug: z
      .string()
      .max(63)
      .meta({
        description: 'The slug of the organisation, so that nobody deletes one by mistake.',
        examples: ['acme'],
      }),
  })
  .meta({ id: 'DeletionRequest' })
export type DeletionRequest = z.output<typeof DeletionRequest>

export const organisationDeletion = operations(
  {
    name: 'organisation-deletion',
    title: 'Organisation deletion',
    about: 'Deletes the organisation with everything in it. Only an owner may do this, on the account pages.',
    area: 'ownership',
    onlyInSession: true,
  },
  {
    request: {
      method: 'POST',
      path: '/organisation/request-deletion',
      summary: 'Delete the organisation in 30 days',
      description:
        'Everything keeps working for 30 days, and an owner can change their mind. Then everything is deleted: codes stop working, and nothing can be restored.',
      needsRecentSignIn: true,
      body: DeletionRequest,
      ok: OrganisationProfile,
      errors: ['unprocessable'],
      example: () => ({ slug: 'acme' }),
    },
    cancel: {
      method: 'POST',
      path: '/organisation/cancel-deletion',
      summary: 'Keep the organisation',
      description: 'Cancels the deletion. Without one, nothing happens.',
      ok: OrganisationProfile,
    },
  },
)
