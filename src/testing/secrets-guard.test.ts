import { expect, test } from 'vitest'
import { rememberPassword, rememberToken, SecretsGuard } from './secrets-guard.ts'

const TOKEN = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYm0'
const KEY = `wm_live_${'a'.repeat(40)}`

test('finds secrets in parameters of statements and in lines of the log', () => {
  rememberToken(TOKEN)
  rememberPassword('lamp river seven')
  const secrets = [KEY, TOKEN, 'lamp river seven', `whsec_${'0'.repeat(64)}`, '4f7k2m-9xw3qa-h0vt6c-p8re5n']
  for (const secret of secrets) {
    const guard = new SecretsGuard()
    guard.observe('insert', [1, null, `about ${secret}.`])
    guard.observe('insert', [{ changes: { name: { to: secret } } }])
    guard.write(`{"level":"info","msg":"${secret}"}`)
    expect(guard.found, secret).toHaveLength(3)
  }
})

test('finds nothing in hashes, hints, ids and slugs', () => {
  const guard = new SecretsGuard()
  guard.observe('insert', ['script-object-assign-window'])
  guard.observe('insert', [TOKEN.replace('Z', 'Y'), KEY.slice(0, 12), '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11'])
  guard.write('{"level":"info","operation":"me.get","status":200}')
  expect(guard.found).toEqual([])
})
