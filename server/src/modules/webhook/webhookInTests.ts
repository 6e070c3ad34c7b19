import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { webhook } from '@dmp/contract'
import type { Delivery, NewWebhook } from '@dmp/contract/webhook'
import { demoPassword } from '../account/demoAccounts.ts'
import type { SignedIn, TestServer } from '../../testing/server.ts'

export interface Received {
  readonly id: string
  readonly type: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
type Answer = (response: ServerResponse, received: Received) => void

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** What it answers from now on; 204 until then. */
  answer(answer: Answer | number): void
  /** Resolves when so many arrived in all. */
  count(number: number): Promise<readonly Received[]>
  close(): Promise<void>
}

/** Somebody else's server, on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let answer: Answer = (response) => void response.writeHead(204).end()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const message = {
        id: String(request.headers['webhook-id']),
        type: (JSON.parse(body) as { type: string }).type,
        path: String(request.url),
        headers: request.headers,
        body,
      }
      received.push(message)
      answer(response, message)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next) => {
      answer = typeof next === 'number' ? (response) => void response.writeHead(next).end() : next
    },
    count: async (number) => {
      await until(() => received.length >= number)
      return received
    },
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}

/** Waits for something that comes by itself, however long the machine takes. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  // Jest gives up far earlier; a loop without an end would keep it from ending.
  const end = performance.now() + 120_000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('What was waited for did not come.')
    await pause(20)
  }
}

let made = 0

export async function makeWebhook(
  who: SignedIn,
  url: string,
  wanted: { kinds?: readonly string[]; name?: string } = {},
): Promise<NewWebhook> {
  made += 1
  const draft = { name: `Receiver ${made}`, url, kinds: ['SeriesCreated', 'SeriesDeleted'], password: demoPassword }
  const { status, data, message } = await who.call(webhook.add, { ...draft, ...wanted })
  if (status !== 200) throw new Error(`No webhook was made: ${status} ${message}`)
  return data
}

export async function deliveriesOf(who: SignedIn, webhookId: string): Promise<readonly Delivery[]> {
  const { data } = await who.call(webhook.listDeliveries, { webhookId })
  return data.toReversed()
}

/** Waits until the newest deliveries, the oldest of them first, have these statuses. */
export async function statuses(who: SignedIn, webhookId: string, expected: readonly string[]): Promise<Delivery[]> {
  let list: readonly Delivery[] = []
  const seen = () => list.map(({ status }) => status).join(' ')
  await until(async () => {
    list = await deliveriesOf(who, webhookId)
    return seen() === expected.join(' ')
  })
  return [...list]
}

/** As if the pause of the receiver were over; each message keeps its own. */
export async function endRest({ deps }: TestServer, webhookId: string): Promise<void> {
  await deps.db.updateTable('webhooks').set({ rest_until: null }).where('id', '=', webhookId).execute()
  deps.bus.publish({ kind: 'webhooksDue' })
}

/** As if all pauses were over. */
export async function hurry(server: TestServer, webhookId: string): Promise<void> {
  await server.deps.db
    .updateTable('webhook_deliveries')
    .set({ next_try_date: new Date(0) })
    .where('webhook_id', '=', webhookId)
    .execute()
  await endRest(server, webhookId)
}
