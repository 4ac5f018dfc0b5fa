export { Join, type JoinResult, type Offer, type Ticket } from './service.ts'
