import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { removeAssetReferences, setAssetReferences } from '../../assets/assets/index.ts'

const KIND = 'article'

/**
 * Keeps the files that a new text of an article shows, in any language. Files of earlier texts are kept as well, because a
 * version of the article can be restored.
 */
export const keepAssetsOf = (tx: Tx, orgId: OrgId, articleId: string, content: string, now: Timestamp): Promise<void> =>
  setAssetReferences(tx, orgId, { kind: KIND, id: articleId }, [content], now, { keepsEarlier: true })

export const releaseAssetsOf = (tx: Tx, orgId: OrgId, ids: readonly string[], now: Timestamp): Promise<void> =>
  removeAssetReferences(tx, orgId, KIND, ids, now)
