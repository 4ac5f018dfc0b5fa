import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import { createServer } from '../../../platform/http/server/server.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { createMetrics } from '../../../platform/telemetry/metrics.ts'
import type { Viewer } from './viewer.ts'

/** The package does not ship its script as a file. It serves it through a Fastify plugin, so we request it there. */
const server = createServer({ trustProxy: false }, { log: createLogger('silent'), metrics: createMetrics() })
server.register(scalar, { routePrefix: '/docs', configuration: { url: '/v1/openapi.json' } })
const { statusCode, rawPayload } = await server.inject('/docs/js/scalar.js')
if (statusCode !== 200) throw new Error(`the documentation viewer responded with ${statusCode} instead of its script`)

const hash = createHash('sha256').update(rawPayload).digest('base64url').slice(0, 16)
parentPort?.postMessage({ script: rawPayload, hash } satisfies Viewer)
