import { resourceEvents } from '../../../platform/outbox/index.ts'
import { Product } from './contract.ts'

export const productEvents = resourceEvents('product', Product)
