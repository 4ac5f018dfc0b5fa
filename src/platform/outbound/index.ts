export { createOutboundClient, type OutboundClient } from './client.ts'
export { imageType } from './image-type.ts'
export { OutboundError } from './outbound-error.ts'
export { checkOutboundUrl, type OutboundUrlRules } from './url-rules.ts'
