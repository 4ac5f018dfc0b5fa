import { expect, test } from 'vitest'
import { createLogger } from '../../platform/telemetry/logging.ts'
import { readConfig } from '../config.ts'
import type { Ground } from './ground.ts'
import type { MailGroup } from './mail.ts'
import { wireWebhooks } from './webhooks.ts'

/** What the start logs with this setting. */
function logged(hosts: string): object[] {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  const config = readConfig({ WEBHOOK_PRIVATE_HOSTS: hosts }, '/dev/null')
  wireWebhooks({ config, log } as Ground, {} as MailGroup)
  return lines.map((line) => JSON.parse(line))
}

test('the start logs which hosts of the private network webhooks may reach, and nothing without any', () => {
  expect(logged('hooks.acme.internal=10.1.2.3,erp.acme.com=10.0.0.0/8')).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      msg: 'webhooks may reach these hosts of the private network, at these addresses',
      hosts: [
        { name: 'hooks.acme.internal', ranges: ['10.1.2.3'] },
        { name: 'erp.acme.com', ranges: ['10.0.0.0/8'] },
      ],
    },
  ])
  expect(logged('')).toEqual([])
})
