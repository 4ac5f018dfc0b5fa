import { z } from 'zod'

/** Leaves out characters that look alike in print: 0 and O; 1, l and I. */
export const SLUG_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
export const SLUG_LENGTH = 8
export const SLUG_PATTERN = new RegExp(`^[${SLUG_ALPHABET}]{${SLUG_LENGTH}}$`)

/** A slug that somebody chose, on the host of the service. */
export const CHOSEN_SLUG = /^[A-Za-z0-9_-]{3,64}$/
/** The same on a custom domain, where it may be a path, and short: other services number their codes from 1. */
export const DOMAIN_SLUG = /^[A-Za-z0-9_-]{1,64}(?:\/[A-Za-z0-9_-]{1,64})*$/
export const DOMAIN_SLUG_LENGTH_MAX = 255

/** The part of a printed URL that identifies the target. */
export const PublicSlug = z
  .string()
  .regex(SLUG_PATTERN)
  .meta({ examples: ['aB3dE5gH'] })
