import type { EventCatalogue } from '../../../platform/outbox/index.ts'
import { CustomDomain } from './contract.ts'

/** The events of custom domains. The payload is the domain as its GET returns it. */
export const customDomainEvents = {
  'custom_domain.verified': {
    description: 'A domain was verified: its ownership and its DNS records were correct.',
    payload: CustomDomain,
  },
  'custom_domain.verification_lost': {
    description: 'A verified domain failed its checks for too long and is no longer used.',
    payload: CustomDomain,
  },
} satisfies EventCatalogue
