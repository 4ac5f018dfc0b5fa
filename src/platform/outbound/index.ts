export { createOutboundClient, type OutboundClient } from './client.ts'
export { OutboundError } from './outbound-error.ts'
export type { OutboundDownload } from './receive.ts'
export { checkOutboundUrl, type OutboundUrlRules } from './url-rules.ts'
