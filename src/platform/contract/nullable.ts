import type { z } from 'zod'

export const nullable = <T extends z.ZodType>(schema: T, description: string) =>
  schema.nullable().meta({ description, examples: [null] })
