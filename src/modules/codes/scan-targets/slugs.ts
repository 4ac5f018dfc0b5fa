import { randomText } from '../../../platform/ids/index.ts'
import { SLUG_ALPHABET, SLUG_LENGTH } from './contract.ts'

export const newSlug = (alphabet = SLUG_ALPHABET): string => randomText(alphabet, SLUG_LENGTH)
