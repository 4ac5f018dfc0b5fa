import { resourceEvents } from '../../platform/outbox.ts'
import { Product } from './contract.ts'

export const productEvents = resourceEvents('product', Product)
