export { Join, type JoinLink, type JoinResult, type Offer } from './service.ts'
