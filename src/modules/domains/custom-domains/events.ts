import type { EventCatalogue } from '../../../platform/outbox/index.ts'
import { CustomDomain } from './contract.ts'

/** What happens to custom domains. The payload is the domain as its GET answers it. */
export const customDomainEvents = {
  'custom_domain.verified': {
    description: 'A domain was verified: its ownership and where it points were both right.',
    payload: CustomDomain,
  },
  'custom_domain.verification_lost': {
    description: 'A verified domain has been wrong for so long that it serves nothing any more.',
    payload: CustomDomain,
  },
} satisfies EventCatalogue
