import { resourceEvents } from '../../../platform/outbox/index.ts'
import { Chatbot } from './contract.ts'

export const chatbotEvents = resourceEvents('chatbot', Chatbot)
