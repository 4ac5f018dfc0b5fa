import type { Tx } from '../../../../platform/db/index.ts'
import { ApiError, unprocessable } from '../../../../platform/errors/index.ts'
import type { Context } from '../../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../../platform/ids/index.ts'
import { addAssetReferences, findAddressedAssets, isAssetUrl } from '../../../assets/assets/index.ts'
import { changeConversation, nextTime } from '../change.ts'
import { fieldsAfter, findTransition, MAY_WRITE } from '../lifecycle.ts'
import { noticesOf } from '../notices.ts'
import type { ConversationRow } from '../queries.ts'
import { lockConversation, requireConversation } from '../stored-conversation.ts'
import { admitsMail, mailVisitor, type VisitorMailSettings } from '../visitor-mail.ts'
import type { Message, MessageCreate } from './contract.ts'
import { type NewMessage, type StoredPart, toText } from './stored-message.ts'

export interface MessageSettings extends VisitorMailSettings {
  /** The address of the API, for the files in messages. */
  appUrl: string
  /** The address that assets begin with. */
  publicUrl: string
}

/**
 * An agent answers. The first answer takes over: a notice comes first, and the conversation is assigned to the agent if it
 * is to nobody. A visitor who has left and gave an address gets a mail. `actorId` is the agent, or null for a program.
 */
export async function createMessage(
  ctx: Context,
  id: string,
  input: MessageCreate,
  actorId: string | null,
  settings: MessageSettings,
): Promise<Message> {
  const { orgId, now } = ctx
  const mayMail = await admitsMail(ctx, await requireConversation(ctx.read, orgId, id), settings)
  return ctx.write(async (tx) => {
    const before = await lockConversation(tx, orgId, id)
    if (!MAY_WRITE.agent.includes(before.status)) throw notWritable(before)
    const message = await toNewMessage(tx, orgId, id, input, actorId, settings)
    const takeover = findTransition(before.status, 'open', 'reply')
    const changed_at = nextTime(before, now)
    const after = {
      ...before,
      ...(takeover && {
        ...fieldsAfter(takeover, changed_at),
        assigned_to: before.assigned_to ?? actorId,
      }),
      agent_read_at: changed_at,
      changed_at,
    }
    const notices = takeover ? await noticesOf(tx, orgId, takeover, before, now) : []
    const mailed = mayMail ? await mailVisitor(tx, orgId, after, message.parts, settings, now) : after
    const stored = await changeConversation(
      tx,
      orgId,
      { before, after: mailed, messages: [...notices, message] },
      settings.appUrl,
    )
    return stored.messages.at(-1) as Message
  })
}

const notWritable = ({ status }: ConversationRow): ApiError =>
  new ApiError(
    'unprocessable',
    status === 'bot_active'
      ? 'The chatbot answers in this conversation. Change its status to agent_requested first.'
      : `This conversation is ${status}. Change its status to open first.`,
    { details: { field: 'status', value: status } },
  )

async function toNewMessage(
  tx: Tx,
  orgId: OrgId,
  conversationId: string,
  { content, text = content, attachments = [] }: MessageCreate,
  actorId: string | null,
  settings: MessageSettings,
): Promise<NewMessage> {
  const urls = attachments.map(({ url }) => url)
  const files = await toFileParts(tx, orgId, conversationId, urls, settings)
  const parts: StoredPart[] = text === undefined ? files : [toText(text), ...files]
  return { role: 'assistant', metadata: { author_id: actorId }, parts }
}

/** Own assets are kept for as long as the conversation. Other addresses are only shown: nobody here opens them. */
async function toFileParts(
  tx: Tx,
  orgId: OrgId,
  id: string,
  urls: readonly string[],
  settings: MessageSettings,
): Promise<StoredPart[]> {
  const assets = await findAddressedAssets(tx, orgId, urls, settings)
  requireAcceptable(urls, assets, settings)
  const assetIds = [...assets.values()].map((asset) => asset.id)
  if (assetIds.length > 0) {
    const existing = await addAssetReferences(tx, orgId, { kind: 'conversation', id }, assetIds)
    const [gone] = [...assets].find(([, asset]) => !existing.has(asset.id)) ?? []
    if (gone !== undefined) throw noSuchAsset(urls.indexOf(gone), gone)
  }
  return urls.map((url) => {
    const { media_type = null, file_name = null } = assets.get(url) ?? {}
    return { id: newId(), type: 'file', file_id: null, url, media_type, file_name }
  })
}

function requireAcceptable(
  urls: readonly string[],
  assets: ReadonlyMap<string, unknown>,
  settings: MessageSettings,
): void {
  for (const [n, url] of urls.entries()) {
    if (assets.has(url)) continue
    if (isAssetUrl(url, settings)) throw noSuchAsset(n, url)
    if (!/^https:/i.test(url))
      throw unprocessable(`attachments[${n}].url`, url, 'it must be an https address, or one of your assets')
  }
}

const noSuchAsset = (n: number, url: string): ApiError =>
  unprocessable(`attachments[${n}].url`, url, 'there is no asset with this URL in your organisation')
