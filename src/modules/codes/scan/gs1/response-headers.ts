import { LINKSET_TYPE } from './link-request.ts'

/** Any page may ask a resolver. */
export const CORS_HEADERS: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'Link, Location',
]

/** Only browsers that ask beforehand look for it. */
export const METHODS_HEADER: readonly string[] = ['access-control-allow-methods', 'GET, HEAD, OPTIONS']

/** Says how to read a linkset as JSON-LD. */
export const CONTEXT_URL = 'https://ref.gs1.org/standards/resolver/linkset-context'
export const CONTEXT_HEADER: readonly string[] = [
  'link',
  `<${CONTEXT_URL}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`,
]

/** Where a program finds all links. `path` is that of the Digital Link, without a query. */
export const toLinkHeader = (path: string): string =>
  `<${path}?linkType=linkset>; rel="linkset"; type="${LINKSET_TYPE}"`

/** Tells which plain link a compressed one stands for. `uri` is its path, and maybe its query. */
export const toSameAsHeader = (uri: string): string => `<${uri}>; rel="owl:sameAs"`
