import type { Scenario } from '../finding.ts'
import { compressedLinks } from './compressed-links.ts'
import { deadWriter } from './dead-writer.ts'
import { destinationChanges } from './destination-changes.ts'
import { failedKeys } from './failed-keys.ts'
import { fanOut } from './fan-out.ts'
import { fileModes } from './file-modes.ts'
import { forms } from './forms.ts'
import { grants } from './grants.ts'
import { idleConnections } from './idle-connections.ts'
import { imageDownloads } from './image-downloads.ts'
import { indexing } from './indexing.ts'
import { largeLists } from './large-lists.ts'
import { longHosts } from './long-hosts.ts'
import { manyOrganisations } from './many-organisations.ts'
import { objectBatches } from './object-batches.ts'
import { docsSearches, messages, receipts, signIns } from './one-address.ts'
import { ownScans } from './own-scans.ts'
import { questions } from './questions.ts'
import { rendering } from './rendering.ts'
import { rules } from './rules.ts'
import { silentDatabase } from './silent-database.ts'
import { slowReaders } from './slow-readers.ts'
import { smallGaps } from './small-gaps.ts'
import { stalledBodies } from './stalled-bodies.ts'
import { teamMails } from './team-mails.ts'
import { unreadBodies } from './unread-bodies.ts'
import { widgetColors } from './widget-colors.ts'
import { wrongPasswords } from './wrong-passwords.ts'

export const SCENARIOS: readonly Scenario[] = [
  indexing,
  rendering,
  slowReaders,
  imageDownloads,
  fanOut,
  silentDatabase,
  largeLists,
  stalledBodies,
  longHosts,
  idleConnections,
  deadWriter,
  failedKeys,
  fileModes,
  smallGaps,
  manyOrganisations,
  wrongPasswords,
  forms,
  unreadBodies,
  grants,
  docsSearches,
  messages,
  signIns,
  receipts,
  questions,
  teamMails,
  widgetColors,
  rules,
  objectBatches,
  compressedLinks,
  ownScans,
  destinationChanges,
]
