import { type DeliveryServices, Dispatcher } from './dispatcher.ts'

/** Sends webhook deliveries, until the function it answers is called. */
export function startDelivery(services: DeliveryServices): () => Promise<void> {
  const dispatcher = new Dispatcher(services)
  return () => dispatcher.close()
}
