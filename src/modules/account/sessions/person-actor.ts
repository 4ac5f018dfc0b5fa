import type { Actor } from '../../../platform/audit/index.ts'
import type { Origin } from './service.ts'

interface Person {
  id: string
  email: string
  first_name: string | null
  last_name: string | null
}

/** What others see of a person. */
export const nameOf = ({ first_name, last_name, email }: Omit<Person, 'id'>): string =>
  [first_name, last_name].filter(Boolean).join(' ') || email

/** A person who does something on the account pages, for the audit log. */
export const personActor = (person: Person, { address, device }: Origin): Actor => ({
  kind: 'person',
  id: person.id,
  name: nameOf(person),
  address,
  userAgent: device,
})
