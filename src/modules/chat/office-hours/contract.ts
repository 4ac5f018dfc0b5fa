import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const RANGES_MAX = 5

const time = (pattern: RegExp, example: string) =>
  z
    .string()
    .regex(pattern, { error: 'Must be a time such as 09:00' })
    .meta({ examples: [example] })

const Range = z.strictObject({
  from: time(/^([01]\d|2[0-3]):[0-5]\d$/, '09:00'),
  to: time(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, '17:00').describe('`24:00` is the end of the day.'),
})
export type Range = z.infer<typeof Range>

const Ranges = z
  .array(Range)
  .max(RANGES_MAX, { error: `Must have at most ${RANGES_MAX} ranges` })
  .refine((ranges) => ranges.every(({ from, to }) => from < to), { error: 'Each range must end after it begins' })
  .refine((ranges) => ranges.every(({ from }, n) => n === 0 || (ranges[n - 1] as Range).to <= from), {
    error: 'Ranges must be in order and must not overlap',
  })

/** Only days with ranges are open. */
export const OfficeHours = z
  .strictObject({
    time_zone: field.timeZone,
    days: z.strictObject({
      monday: Ranges.optional(),
      tuesday: Ranges.optional(),
      wednesday: Ranges.optional(),
      thursday: Ranges.optional(),
      friday: Ranges.optional(),
      saturday: Ranges.optional(),
      sunday: Ranges.optional(),
    }),
  })
  .meta({
    id: 'OfficeHours',
    description: 'When people answer. Days that you omit are closed. Null: always.',
    examples: [{ time_zone: 'Europe/Berlin', days: { monday: [{ from: '09:00', to: '17:00' }] } }],
  })
export type OfficeHours = z.infer<typeof OfficeHours>
