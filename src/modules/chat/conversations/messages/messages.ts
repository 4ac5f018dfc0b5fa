import type { z } from 'zod'
import type { CursorPage, Position } from '../../../../platform/contract/pagination.ts'
import { type Context, cursorPage } from '../../../../platform/http/index.ts'
import type { conversations } from '../contract.ts'
import { requireConversation } from '../stored-conversation.ts'
import type { Message } from './contract.ts'
import { selectMessageSizes, selectMessages } from './message-queries.ts'
import { toMessage } from './stored-message.ts'

type ListQuery = z.output<typeof conversations.listMessages.declared.query>

/** Returns at most `limit` messages, and not much more than 1 MiB. */
export async function listMessages(
  ctx: Context,
  id: string,
  query: ListQuery,
  after: Position | undefined,
  appUrl: string,
): Promise<CursorPage<Message>> {
  await requireConversation(ctx.read, ctx.orgId, id)
  const range = { after: after?.id, order: query.order }
  return cursorPage(
    query,
    (limit) => selectMessages(ctx.read, ctx.orgId, id, range, limit),
    (row) => toMessage(row, appUrl),
    (limit) => selectMessageSizes(ctx.read, ctx.orgId, id, range, limit),
  )
}
