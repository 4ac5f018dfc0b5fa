export { createOutboundClient, type OutboundClient } from './client.ts'
export { OutboundError } from './outbound-error.ts'
export { checkOutboundUrl, type OutboundUrlRules } from './url-rules.ts'
