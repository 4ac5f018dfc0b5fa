import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'

const EMAIL_LENGTH_MAX = 254

/** Something, an @, and a host name. Only a message that arrives proves more. */
export const Email = z
  .string()
  .trim()
  .refine((text) => text.length <= EMAIL_LENGTH_MAX && /^[^\s@<>"(),:;\\[\]]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text), {
    error: `Must be an email address of at most ${EMAIL_LENGTH_MAX} characters`,
  })
  .meta({ format: 'email', maxLength: EMAIL_LENGTH_MAX, examples: ['agent@acme.com'] })

export const PersonName = field.name(100).meta({ examples: ['Kim'] })
