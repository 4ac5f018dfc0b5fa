import { z } from 'zod'
import { choice, field } from '../../../platform/contract/index.ts'

/** What a visitor scanned, in a record of what the visitor then did. */
export const Scanned = z
  .object({
    type: choice({ qr_code: 'A QR code.', object: 'An object.', product: 'A product.' }).meta({ examples: ['object'] }),
    id: field.id,
    external_id: z
      .string()
      .nullable()
      .meta({ description: 'Your own ID of it. The GTIN of a product.', examples: ['acme-one-2614-0007'] }),
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Acme One, kitchen'] }),
    properties: z
      .record(z.string(), z.string().meta({ examples: ['Kitchen'] }))
      .optional()
      .meta({
        description: 'Its properties as they are now. Only with `include=scanned.properties`.',
        examples: [{ location: 'Kitchen' }],
      }),
  })
  .meta({
    id: 'ScannedThing',
    description: 'What the visitor scanned, with the name and ID that it had then. It may be deleted.',
  })
