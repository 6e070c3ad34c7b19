import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../core/metrics.ts'
import { StartFailure } from '../../core/StartFailure.ts'
import type { Dependencies } from '../../dependencies.ts'
import { measureProcess } from './processMetrics.ts'
import { measureRequests } from './requestMetrics.ts'
import { measureDatabase } from './databaseMetrics.ts'

const contentType = 'text/plain; version=0.0.4; charset=utf-8'
const mostConnections = 16

/** `/metrics` on a port of its own, which no proxy of the product reaches; nothing is measured where it is off. */
export function registerMetrics(app: FastifyInstance, deps: Dependencies): void {
  const { metrics, settings, log } = deps
  const { metricsPort: port, metricsHost: host } = settings
  if (!metrics || port === undefined) return
  measureRequests(app, metrics)
  measureDatabase(metrics, deps)
  metrics.gauge('dmp_stopping', 'Whether the server was told to stop', () => Number(deps.stopping.isAsked))
  metrics.gauge('dmp_hashing_turns', 'Passwords that are hashed, and that wait for it', () => {
    const { running, waiting } = deps.hasher.counts
    return [
      { labels: { state: 'running' }, value: running },
      { labels: { state: 'waiting' }, value: waiting },
    ]
  })
  const endProcess = measureProcess(metrics)
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000, maxHeaderSize: 8192 }, answerWith(metrics))
  server.maxConnections = mostConnections
  app.addHook('onReady', async () => {
    server.listen(port, host)
    await once(server, 'listening').catch((cause: unknown) => {
      throw new StartFailure(
        `The server cannot listen on port ${port} of ${host} for metrics (${String((cause as { code?: unknown }).code)}). ` +
          'Choose another DMP_METRICS_PORT or DMP_METRICS_HOST.',
      )
    })
    log.info(`metrics at http://${host}:${(server.address() as AddressInfo).port}/metrics`)
  })
  app.addHook('onClose', async () => {
    endProcess()
    server.closeAllConnections()
    server.close()
  })
}

/** Several that ask at once get one answer. */
function answerWith(metrics: Metrics): (request: IncomingMessage, response: ServerResponse) => void {
  let underWay: Promise<string> | undefined
  const read = (): Promise<string> => {
    underWay ??= metrics.text().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  return ({ method, url }, response) => {
    if (method !== 'GET' || url !== '/metrics') return void response.writeHead(404).end()
    read().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  }
}
