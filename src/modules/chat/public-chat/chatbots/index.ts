export { PublicChatbots } from './public-chatbots.ts'
export { findPublicChatbot, type PublicChatbot } from './service.ts'
