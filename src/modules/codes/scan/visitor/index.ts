export { createLocator, type Locator } from './location.ts'
export { cleanReferrer } from './referrer.ts'
