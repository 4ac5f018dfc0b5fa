import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../src/testing/client.ts'
import type { AttackOrder } from './attacker.ts'
import { count, newAddress, open, repeat, type Statuses, send, sendAndLeave, visitorHeaders } from './sending.ts'
import { denseMarkdown } from './texts.ts'

type Attack = (order: AttackOrder, statuses: Statuses) => Promise<void>

const BODY_BYTES = 1024 * 1024
const HOST_LENGTH = 15_000
/** How often an impatient program asks whether its job is finished. */
const JOB_POLL_MS = 500

/** What one tenant with a key, or strangers without one, do to the service. */
export const ATTACKS = {
  /** Publishes prepared articles, or indexes them again. */
  publish: async (order, statuses) => {
    const body = { status: 'published', title: `Large ${Date.now()}` }
    await Promise.all((order.given ?? []).map((id) => send(order, statuses, 'PATCH', `/v1/articles/${id}`, body)))
  },

  /** Articles that take long to render. */
  render: async (order, statuses) => {
    const [knowledge_base_id] = order.given ?? []
    const body = { knowledge_base_id, title: 'Everything', content: denseMarkdown() }
    await repeat(100, () => send(order, statuses, 'POST', '/v1/articles', body))
  },

  /** Batches of codes for an organisation with many webhook endpoints. */
  batches: (order, statuses) =>
    repeat(4, () =>
      send(order, statuses, 'POST', '/v1/qr-codes/batch', { count: 1000, destination: { url: 'https://acme.com/' } }),
    ),

  /** Batches of new objects with properties, in this many loops. */
  objects: (order, statuses) => {
    let number = 0
    return repeat(Number(order.given?.[0]), () => {
      const from = 1000 * number++
      const items = Array.from({ length: 1000 }, (_, n) => ({
        external_id: `chair-${from + n}`,
        type: 'chair',
        name: `Chair ${from + n}`,
        destination: { url: 'https://acme.com/' },
        properties: [
          { key: 'material', value: 'Oak' },
          { key: 'colour', value: 'Blue' },
        ],
      }))
      return send(order, statuses, 'POST', '/v1/objects/batch', { items })
    })
  },

  /** Scans a code that tries all of its rules, and meanwhile replaces them, restores versions and simulates. */
  rules: async (order, statuses) => {
    const [slug, path, ...documents] = order.given ?? []
    let number = 0
    const change = () => {
      const rules = JSON.parse(documents[++number % documents.length] ?? '{}')
      return send(order, statuses, 'PUT', `${path}/rules`, rules)
    }
    await Promise.all([
      repeat(20, () => send(order, statuses, 'GET', `/${slug}?via=nfc`)),
      repeat(2, change),
      repeat(2, () => send(order, statuses, 'POST', `${path}/history/1/restore`)),
      repeat(4, () => send(order, statuses, 'POST', '/v1/simulate', { address: `/${slug}`, language: 'de' })),
    ])
  },

  /** Changes where all codes lead, and undoes it, as soon as the last change is finished. Counts what became of the jobs. */
  destinations: async ({ port, apiKey }, statuses) => {
    const client = new Client(`http://127.0.0.1:${port}`, apiKey)
    const change = { from: { url: 'https://acme.com/old' }, to: { url: 'https://acme.com/new' } }
    const finish = async (path: string, body?: object): Promise<string> => {
      const { status, body: begun } = await client.post(path, body)
      count(statuses, status)
      for (;;) {
        await sleep(JOB_POLL_MS)
        const { body: job } = await client.get(`/v1/jobs/${begun.job_id}`)
        if (job.finished_at) {
          count(statuses, job.status)
          return begun.job_id
        }
      }
    }
    for (;;) {
      const id = await finish('/v1/destinations/change', change)
      await finish(`/v1/destinations/change/${id}/undo`)
    }
  },

  /** The largest page of articles. */
  lists: (order, statuses) => repeat(20, () => send(order, statuses, 'GET', '/v1/articles?page_size=100')),

  /** Products with large images. */
  images: (order, statuses) => {
    let number = 0
    const images = order.given ?? []
    return repeat(60, () =>
      send(order, statuses, 'POST', '/v1/products', { name: 'Chair', gtin: gtinOf(++number), image_urls: images }),
    )
  },

  /** Requests a large file and never reads the response. */
  slowReaders: ({ port }, statuses) =>
    open(400, port, statuses, (socket) => {
      socket.pause()
      socket.write(`GET /docs/viewer.js HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`)
    }),

  /** Sends all but the last byte of a body, without a key. */
  stalledBodies: ({ port }, statuses) =>
    open(1500, port, statuses, (socket) => {
      const head = `POST /v1/qr-groups HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-type: application/json\r\ncontent-length: ${BODY_BYTES}\r\n\r\n`
      socket.write(head)
      socket.write(Buffer.alloc(BODY_BYTES - 1, ' '))
      socket.on('data', (data) => count(statuses, data.toString('latin1').slice(9, 12)))
    }),

  /** Sends thousands of requests with a short body on one connection, without waiting for responses, and begins again. */
  unreadBodies: ({ port }, statuses) => {
    let number = 0
    return repeat(4, () => {
      const path = ++number % 2 === 0 ? '/v1/objects' : '/p/aaaaaaaaaaaa'
      const head = `POST ${path} HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n`
      return sendAndLeave(port, statuses, `${head}{"a":1}`.repeat(20_000))
    })
  },

  /** Looks up codes under host names that are as long as a header may be. */
  longHosts: (order, statuses) => {
    let number = 0
    return repeat(8, () => {
      const host = String(++number).padStart(HOST_LENGTH, 'a')
      return send(order, statuses, 'GET', '/abcdefgh', undefined, { host })
    })
  },

  /** Sends long forms, and photos that have to be drawn anew, each from another address. */
  forms: (order, statuses) => {
    let number = 0
    const [slug = '', photo = ''] = order.given ?? []
    const picture = Buffer.from(photo, 'base64')
    const form = new URLSearchParams({ what: 'The belt is loose. '.repeat(500) })
    return repeat(100, () => {
      number++
      const headers = visitorHeaders(newAddress(number))
      if (number % 4 > 0) return send(order, statuses, 'POST', `/p/${slug}`, form, headers)
      const path = `/p/${slug}/files?field=photo&name=photo.jpg`
      return send(order, statuses, 'POST', path, picture, { ...headers, 'content-type': 'image/jpeg' })
    })
  },

  /** Signs in with wrong passwords, each for another account and from another address. */
  passwords: (order, statuses) => {
    let number = 0
    const [cookie = '', form_token = ''] = order.given ?? []
    return repeat(200, () => {
      number++
      const form = new URLSearchParams({ form_token, email: `guess-${number}@acme.com`, password: 'wrong password' })
      const headers = visitorHeaders(newAddress(number))
      return send(order, statuses, 'POST', '/account/sign-in', form, { ...headers, cookie })
    })
  },

  /** Programs at 20 addresses ask for tokens with codes that they have guessed, and send people to allow an application. */
  grants: (order, statuses) => {
    let number = 0
    const [client_id = '', authorise = ''] = order.given ?? []
    return repeat(100, () => {
      number++
      const headers = visitorHeaders(`203.0.113.${number % 20}`)
      if (number % 3 === 0) return send(order, statuses, 'GET', authorise, undefined, headers)
      const code = String(number).padStart(43, 'x')
      const form = new URLSearchParams({ grant_type: 'authorization_code', client_id, code })
      return send(order, statuses, 'POST', '/oauth/token', form, headers)
    })
  },

  /** Searches the documentation from one address, mostly for words that do not exist. */
  docsSearches: (order, statuses) => {
    let number = 0
    return repeat(100, () => {
      const words = Array.from({ length: 12 }, (_, n) => `wbehokos${++number}${n}`).join('+')
      return send(order, statuses, 'GET', `/docs/search?q=${words}`)
    })
  },

  /** Writes to a chatbot from one address, in ever new conversations. */
  messages: (order, statuses) => {
    const [slug = ''] = order.given ?? []
    const form = new URLSearchParams({ text: 'How often should I oil the oak table in the garden?' })
    return repeat(100, () => send(order, statuses, 'POST', `/c/${slug}/messages`, form, visitorHeaders('203.0.113.1')))
  },

  /** Opens the page to sign in, and guesses passwords, from one address. */
  signIns: (order, statuses) => {
    let number = 0
    const [cookie = '', form_token = ''] = order.given ?? []
    return repeat(100, () => {
      number++
      const headers = { ...visitorHeaders('203.0.113.1'), cookie }
      if (number % 2 === 0) return send(order, statuses, 'GET', '/account/sign-in', undefined, headers)
      const form = new URLSearchParams({ form_token, email: `guess-${number}@acme.com`, password: 'wrong password' })
      return send(order, statuses, 'POST', '/account/sign-in', form, headers)
    })
  },

  /** Guesses receipts of forms, and says of an article why it did not help, from one address. */
  receipts: (order, statuses) => {
    let number = 0
    const [feedback = ''] = order.given ?? []
    const headers = visitorHeaders('203.0.113.1')
    return repeat(100, () => {
      number++
      if (number % 2 === 0)
        return send(order, statuses, 'GET', `/p/receipt/${String(number).padStart(43, 'x')}`, undefined, headers)
      const form = new URLSearchParams({ helpful: 'no', comment: 'It did not help. '.repeat(25) })
      return send(order, statuses, 'POST', feedback, form, headers)
    })
  },

  /** Scans compressed GS1 links of this product, each with another serial number. */
  compressedLinks: (order, statuses) => {
    let number = 0
    const [link = ''] = order.given ?? []
    return repeat(100, () => {
      const serial = String(++number).padStart(20, '0')
      return send(order, statuses, 'GET', `${link}?21=${serial}`)
    })
  },

  /** Scans this code, and reads what has happened. */
  ownScans: async (order, statuses) => {
    const [slug = ''] = order.given ?? []
    await Promise.all([
      repeat(60, () => send(order, statuses, 'GET', `/${slug}`)),
      repeat(4, () => send(order, statuses, 'GET', '/v1/events')),
    ])
  },

  /** Asks a chatbot as the script of its page does, each question from another address, without the work it is asked for. */
  questions: (order, statuses) => {
    let number = 0
    const [slug = '', text = ''] = order.given ?? []
    return repeat(100, () => {
      number++
      const headers = visitorHeaders(newAddress(number))
      const accept = number % 2 === 0 ? { accept: 'application/json' } : {}
      const message = new URLSearchParams({ text: `${text} ${number}` })
      return send(order, statuses, 'POST', `/c/${slug}/messages`, message, { ...headers, ...accept })
    })
  },

  /** Asks three chatbots for a person: from ever new addresses, from one address, and again and again in one conversation. */
  people: (order, statuses) => {
    let number = 0
    const [many = '', ofAddress = '', ofConversation = '', cookie = ''] = order.given ?? []
    const askFrom = (address: string, slug: string, more: Record<string, string> = {}) => {
      const form = new URLSearchParams({ contact_email: `visitor-${number}@acme.example` })
      return send(order, statuses, 'POST', `/c/${slug}/agent`, form, { ...visitorHeaders(address), ...more })
    }
    return repeat(100, () => {
      number++
      if (number % 10 === 0) return askFrom('203.0.113.1', ofAddress)
      if (number % 10 === 1) return askFrom('203.0.113.2', ofConversation, { cookie })
      return askFrom(newAddress(number), many)
    })
  },

  /** Asks for the colour of a chatbot, each time from another address, and now and then of one that does not exist. */
  colors: (order, statuses) => {
    let number = 0
    const [slug = ''] = order.given ?? []
    return repeat(100, () => {
      const shown = ++number % 4 === 0 ? String(number).padStart(slug.length, 'x') : slug
      return send(order, statuses, 'GET', `/c/${shown}/color.js`, undefined, visitorHeaders(newAddress(number)))
    })
  },

  /** Opens connections and sends nothing. */
  idle: ({ port }, statuses) => open(6000, port, statuses, () => {}),
} satisfies Record<string, Attack>

export type AttackName = keyof typeof ATTACKS

/** A GTIN-14 with its check digit. */
function gtinOf(number: number): string {
  const digits = `9506${String(number).padStart(9, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
