import { z } from 'zod'
import { choice, cursorQuery, type FamilyError, field, operations } from '../../../platform/contract/index.ts'

const balance = z.int().meta({ examples: [5000] })

export const CreditBalance = z
  .object({
    object: z.literal('credit_balance'),
    balance: balance
      .nullable()
      .describe('How many credits your organisation has. Never negative. Null if answers cost nothing.'),
    unlimited: z.boolean().meta({
      description: 'Whether answers cost nothing. The operator of the installation decides that.',
      examples: [false],
    }),
    updated_at: field.timestamp.describe('When the balance changed last.'),
  })
  .meta({ id: 'CreditBalance', description: 'The credits of your organisation.' })
export type CreditBalance = z.infer<typeof CreditBalance>

export const CreditEntry = z
  .object({
    object: z.literal('credit_entry'),
    id: field.id,
    amount: z.int().meta({ description: 'Credits that were added; negative if they were taken.', examples: [-1] }),
    balance: balance.describe('The balance after it.'),
    reason: choice({ adjustment: 'The operator has changed the balance.', answer: 'A chatbot has answered.' }).meta({
      examples: ['answer'],
    }),
    message_id: field.id
      .nullable()
      .describe('The message with the answer. Null for an answer without a conversation, and for other reasons.'),
    created_at: field.timestamp,
  })
  .meta({ id: 'CreditEntry', description: 'One change of the balance.' })
export type CreditEntry = z.infer<typeof CreditEntry>

export const credits = operations(
  {
    name: 'credits',
    title: 'Credits',
    about:
      'A prepaid balance for answers of chatbots. The operator of the installation adds credits, or lets answers cost nothing.',
    area: 'chatbots',
  },
  {
    getBalance: {
      method: 'GET',
      path: '/credits',
      summary: 'Get the credit balance',
      description: 'While answers cost nothing, `unlimited` is true and `balance` is null.',
      ok: CreditBalance,
    },
    listEntries: {
      method: 'GET',
      path: '/credits/entries',
      summary: 'List credit entries',
      description: 'Every change of the balance, newest first.',
      query: cursorQuery({}),
      cursor: CreditEntry,
    },
  },
)

/** Operations that spend credits declare this error. */
export const INSUFFICIENT_CREDITS = {
  code: 'insufficient_credits',
  status: 422,
  meaning: 'Your organisation does not have enough credits for this action. Nothing was spent.',
  remedy:
    'Retry once there are credits. The operator adds them with `npx waymark org set SLUG --credits N`, or `--credits unlimited`.',
  example: {
    message:
      'Your organisation does not have enough credits. Nothing was spent. The operator of the installation adds credits with `npx waymark org set SLUG --credits N`.',
  },
} as const satisfies FamilyError
