import { z } from 'zod'

/** Leaves out characters that look alike in print: 0 and O; 1, l and I. */
export const SLUG_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
export const SLUG_LENGTH = 8
export const SLUG_PATTERN = new RegExp(`^[${SLUG_ALPHABET}]{${SLUG_LENGTH}}$`)

/** The part of a printed URL that identifies the target. */
export const PublicSlug = z
  .string()
  .regex(SLUG_PATTERN)
  .meta({ examples: ['aB3dE5gH'] })
