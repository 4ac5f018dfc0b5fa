export { deliveryMails } from './mails.ts'

import { watchBacklog } from './backlog.ts'
import { type DeliveryServices, Dispatcher } from './dispatcher.ts'

/** Starts sending webhook deliveries. Returns a function that stops it. */
export function startDelivery(services: DeliveryServices): () => Promise<void> {
  watchBacklog(services)
  const dispatcher = new Dispatcher(services)
  return () => dispatcher.close()
}
