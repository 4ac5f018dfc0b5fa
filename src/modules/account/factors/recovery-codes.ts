import { hashToken, randomText } from '../../../platform/ids/index.ts'

export const CODES_PER_PERSON = 10

/** Leaves out letters that look like others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 120 bits: so much that a plain hash is enough. */
const LENGTH = 24
const GROUP = /.{6}(?=.)/g

/** Such as `4f7k2m-9xw3qa-h0vt6c-p8re5n`. */
export const newRecoveryCode = (): string => randomText(ALPHABET, LENGTH).replace(GROUP, '$&-')

/** What is stored. People may type a code in capitals, without dashes, and with the letters that it avoids. */
export const hashRecoveryCode = (code: string): string =>
  hashToken(
    code
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .replaceAll('o', '0')
      .replace(/[il]/g, '1'),
  )
