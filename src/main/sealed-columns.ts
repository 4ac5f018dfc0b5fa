import type { SealedColumns } from '../platform/keyring/reseal.ts'

/** Everything that is stored sealed, so that `secret rotate` can seal it anew. `SecretsGuard` finds what is missing here. */
export const SEALED_COLUMNS: SealedColumns = {
  idempotent_answers: ['body'],
  mails: ['sealed_values'],
  totp_secrets: ['seed'],
  webhook_endpoints: ['secret', 'old_secret'],
}
