import { type SentReply, sendRequest } from '../send-request.ts'

/** The User-Agent of an iPhone. */
export const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** Scans like a phone. */
export const scan = (
  { baseUrl }: { baseUrl: string },
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body }: { method?: string; body?: string } = {},
): Promise<SentReply> => sendRequest(baseUrl, { method, path, headers: { 'user-agent': PHONE, ...headers }, body })
