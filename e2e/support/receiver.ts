import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Message {
  readonly id: string
  readonly timestamp: string
  readonly signatures: readonly string[]
  readonly body: string
}

export interface Receiver {
  readonly url: string
  /** Id and body of each message that names the text and is signed with the secret (Standard Webhooks). */
  findVerified(secret: string, text: string): { readonly id: string; readonly body: string }[]
  close(): Promise<void>
}

/** A receiver of webhooks on this machine, which takes everything. */
export async function startReceiver(): Promise<Receiver> {
  const messages: Message[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { headers } = request
      messages.push({
        id: String(headers['webhook-id']),
        timestamp: String(headers['webhook-timestamp']),
        signatures: String(headers['webhook-signature']).split(' '),
        body,
      })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    findVerified: (secret, text) =>
      messages.filter((message) => message.body.includes(text) && isSigned(message, secret)).map(toFacts),
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}

const toFacts = ({ id, body }: Message) => ({ id, body })

function isSigned({ id, timestamp, signatures, body }: Message, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const own = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return signatures.includes(`v1,${own}`)
}
