export type Json = { [key: string]: unknown }

export interface Ref {
  $ref: string
}

export const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)
