import { pagePolicy } from '../../../platform/http/server/security-headers.ts'
import { LIST_STYLE, PAGE_STYLE, sourceOf, type Theme } from '../../../platform/look/index.ts'

const STYLES = [PAGE_STYLE, LIST_STYLE].map(sourceOf).join(' ')

/** The Content-Security-Policy: allows our style sheets, that of the theme, and images, and nothing else. */
export const policyOf = ({ source }: Theme): string =>
  pagePolicy([`style-src ${STYLES} ${source}`, "img-src https: data: 'self'"], "'self'")
