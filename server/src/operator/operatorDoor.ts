import { createHmac, randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { isEqualSecret } from '../core/isEqualSecret.ts'
import { StartFailure } from '../core/StartFailure.ts'
import type { Dependencies } from '../dependencies.ts'
import { isOperatorCommand, operatorCommands, type OperatorLine } from './operatorCommands.ts'

/** In the data folder, which only the server's own account can read: where the running server is, and its key. */
export const doorFile = (dataDir: string): string => join(dataDir, 'operator.json')

export const DoorFile = v.object({ port: v.number(), key: v.string() })

export const proofHeader = 'dmp-proof'

/**
 * What only those say who have read the file of the door: a server that was killed leaves its port to whoever takes it,
 * so that a command gives key and input to nobody who has not answered its challenge. Says nothing of the key.
 */
export const proofOf = (key: string, port: number, challenge: string): string =>
  createHmac('sha256', key).update(`door ${port} ${challenge}`).digest('base64url')

/** What a command says of itself is a path, a name and a few flags. */
const maxRequestBytes = 64 * 1024
/** Lines of those who have not shown the key. */
const mostStrangers = 32

/**
 * A door of the machine itself, for `npm run ingest`, `export` and `import` while the server runs: on loopback alone,
 * behind a key that is made at each start and lies in the data folder. Whoever can read that folder has the database
 * and every key anyway; nobody else gets past it, and the product's own port knows nothing of it.
 */
export function registerOperatorDoor(app: FastifyInstance, deps: Dependencies): { open(): Promise<void> } {
  const key = randomBytes(32).toString('base64url')
  const closing = new AbortController()
  const strangers = new Set<Socket>()
  const server = createServer((request, response) => {
    if (isEqualSecret(request.headers.authorization ?? '', `Bearer ${key}`)) strangers.delete(request.socket)
    void answer(deps, key, closing.signal, request, response)
  })
  // Other accounts of the machine reach the port, too, and nothing of it: the oldest of them gives way, so that as many
  // as they like keep no command out.
  server.on('connection', (line) => {
    strangers.add(line.once('close', () => strangers.delete(line)))
    const [oldest] = strangers
    if (strangers.size > mostStrangers) oldest?.destroy()
  })
  const path = doorFile(deps.settings.dataDir)
  app.addHook('preClose', async () => {
    closing.abort()
    if (!server.listening) return
    // Of several servers on one folder the last that started is asked.
    const written = await readFile(path, 'utf8').catch(() => '')
    if (written.includes(key)) await rm(path, { force: true })
    const closed = once(server, 'close')
    server.close()
    server.closeIdleConnections()
    await closed
  })
  return {
    async open() {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      server.unref()
      const { port } = server.address() as { port: number }
      // Without it commands wait until the server is stopped; people are served all the same.
      await writeFile(path, JSON.stringify({ port, key }), { mode: 0o600 }).catch((cause: { code?: string }) =>
        deps.log.warn({ reason: cause.code }, 'commands cannot reach this server: the data folder takes no file'),
      )
    },
  }
}

async function answer(
  deps: Dependencies,
  key: string,
  closing: AbortSignal,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const challenge = /^\/proof\?challenge=([\w-]{43})$/.exec(request.url ?? '')?.[1]
  if (challenge !== undefined && request.method === 'GET') {
    response.writeHead(204, { [proofHeader]: proofOf(key, request.socket.localPort ?? 0, challenge) }).end()
    return
  }
  const name = /^\/([a-z]+)$/.exec(request.url ?? '')?.[1] ?? ''
  const given = request.headers.authorization ?? ''
  // A page in a browser of this machine cannot set the header without asking first, and is never answered.
  if (!isEqualSecret(given, `Bearer ${key}`) || request.method !== 'POST' || !isOperatorCommand(name)) {
    response.writeHead(404).end()
    return
  }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const say = (line: OperatorLine): void => void response.write(`${JSON.stringify(line)}\n`)
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  try {
    const input = JSON.parse(await readBody(request)) as unknown
    await operatorCommands[name](deps, input, say, AbortSignal.any([closing, gone.signal]))
    say({ end: true })
  } catch (cause) {
    if (!(cause instanceof StartFailure) && !gone.signal.aborted)
      deps.log.error({ reason: cause instanceof Error ? cause.message : 'unknown' }, `the command ${name} failed`)
    const sentences = cause instanceof StartFailure ? cause.sentences : [`The command failed: ${reasonOf(cause)}`]
    say({ failure: closing.aborted ? [stopped] : sentences })
  }
  response.end()
}

export const stopped = 'The server was stopped. Nothing that was taken in is lost: give the same command again.'

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxRequestBytes) throw new StartFailure('The command is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
