import type { NoticeTexts } from './texts.ts'

export const ar: NoticeTexts = {
  agent_joined: 'يجيبك الآن أحد أفراد فريقنا.',
  resolved: 'تم وضع علامة «محلولة» على هذه المحادثة. إذا كتبت من جديد، تبدأ محادثة جديدة.',
  away: 'لا يتوفر أحد الآن. سنجيبك فور عودتنا.',
}
