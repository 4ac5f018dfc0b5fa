import { z } from 'zod'
import { choice } from './choice.ts'
import { field } from './field.ts'

export const BATCH_ITEMS_MAX = 1000

const mode = choice({
  all: 'One item that cannot be done refuses the whole request, and nothing changes.',
  each: 'Everything that can be done is done, and the result of every other item is its error.',
}).meta({ examples: ['all'] })

/** The body of an operation that creates or changes many resources. */
export const batchBody = <Item extends z.ZodObject>(item: Item) =>
  z.strictObject({
    mode: mode.default('all'),
    items: z
      .array(item)
      .min(1, { error: 'Must have at least one item' })
      .max(BATCH_ITEMS_MAX, { error: `Must have at most ${BATCH_ITEMS_MAX} items` })
      .describe(`Up to ${BATCH_ITEMS_MAX} items, within the 1 MiB that a body may have.`),
  })

const count = (description: string, example: number) => z.int().meta({ description, examples: [example] })

/** The field that identifies a resource in the results of a batch. */
const identity = (key: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `The \`${key}\` of the item. Null if it is not a valid one.`, examples: [example] })

/** The response to it: what became of each item, in the order in which they were sent. `key` identifies a resource. */
export const batchResponse = <Key extends string>(key: Key, example: string) =>
  z.object({
    object: z.literal('batch'),
    mode,
    created: count('The number of items that are new.', 1),
    updated: count('The number of items that changed something.', 0),
    unchanged: count('The number of items that were already so. They cause no event.', 0),
    failed: count('The number of items with an error. Always 0 in the mode `all`.', 0),
    data: z.array(
      z.object({
        index: z.int().meta({ description: 'The position of the item in `items`, from 0.', examples: [0] }),
        result: choice({
          created: 'It is new.',
          updated: 'It existed, and what you sent changed it.',
          unchanged: 'It existed and was already so.',
          error: 'Nothing was done; see `error`.',
        }).meta({ examples: ['created'] }),
        id: field.id.nullable(),
        url: z
          .string()
          .nullable()
          .meta({
            format: 'uri',
            description: 'The URL to print as a QR code.',
            examples: ['https://go.acme.com/o/aB3dE5gH'],
          }),
        ...({ [key]: identity(key, example) } as { [Name in Key]: ReturnType<typeof identity> }),
        error: z
          .object({
            error: z.string().meta({ description: 'An error code.', examples: ['invalid_payload'] }),
            message: z.string().meta({ examples: ['items[0].name: Required.'] }),
            details: z
              .record(z.string(), z.unknown())
              .nullable()
              .meta({ description: 'Paths begin with the item, as in `items[0].name`.', examples: [null] }),
          })
          .nullable()
          .meta({ description: 'Null unless `result` is `error`. Otherwise as in any error response.' }),
      }),
    ),
  })
