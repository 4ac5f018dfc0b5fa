import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'

const SubmittedFile = z
  .object({
    file_id: field.id,
    file_name: z.string().meta({ examples: ['crack.jpg'] }),
    media_type: z.string().meta({ examples: ['image/jpeg'] }),
    size_bytes: z.int().meta({ examples: [482_113] }),
  })
  .meta({ id: 'SubmittedFile', description: 'A file that a visitor sent.' })

/** The answer to a field, as a submission has it. */
export const Answer = z
  .object({
    type: z.string().meta({ description: 'The type of the block.', examples: ['form_textarea'] }),
    name: z
      .string()
      .nullable()
      .meta({
        description: 'Your own name of the field. Null if it was sent before answers had names.',
        examples: ['what'],
      }),
    label: z.string().meta({ description: 'In the language that the visitor saw.', examples: ['What happened?'] }),
    value: z
      .union([
        z.string().meta({ examples: ['The door does not close.'] }),
        z.number(),
        z.boolean(),
        z.array(z.string().meta({ examples: ['noise'] })),
        z.array(SubmittedFile),
      ])
      .nullable()
      .meta({
        description:
          'A number for `form_number` and `form_rating`, a boolean for `form_switch`, a list of values for `form_checkbox`, a list of files for `form_media`, and a text for all others. Null if the visitor left it empty.',
        examples: ['The door does not close.'],
      }),
    value_label: z
      .union([z.string().meta({ examples: ['Noise'] }), z.array(z.string().meta({ examples: ['Noise'] }))])
      .nullable()
      .meta({
        description:
          'What the visitor read at a choice: a text for `form_select` and `form_radio`, a list for `form_checkbox`, in the order of `value`. Null for all others.',
        examples: [null],
      }),
    order: z.int().meta({ description: 'The position of the block on the page.', examples: [1] }),
  })
  .meta({ id: 'SubmittedAnswer' })
