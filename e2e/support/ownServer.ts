import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export interface OwnServer {
  readonly url: string
  /** The link that it printed, because nobody is there yet. */
  readonly setupLink: string
  /** Mails that were really sent, as text. */
  readonly mails: readonly string[]
  readonly stop: () => Promise<void>
}

/** `npm run serve` with an empty folder of its own, and a mail server that takes everything. */
export async function startOwnServer(): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-first-run-'))
  const mails: string[] = []
  const post = await listen(createServer((socket) => takeMails(socket, mails)))
  // Taken for a moment only: the public address has to be known before the server starts.
  const probe = await listen(createServer())
  const { port } = probe.address() as AddressInfo
  await new Promise((closed) => probe.close(closed))
  const url = `http://localhost:${port}`
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'scripts/commands/serve.ts')],
    {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(port),
        DMP_HOST: '127.0.0.1',
        DMP_DATA_DIR: folder,
        DMP_PUBLIC_URL: url,
        DMP_LOG_LEVEL: 'warn',
        SMTP_URL: `smtp://127.0.0.1:${(post.address() as AddressInfo).port}`,
        DMP_SECRET: randomBytes(32).toString('hex'),
        DMP_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const stop = async () => {
    await end(child)
    await new Promise((closed) => post.close(closed))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { url, setupLink: await findLink(child), mails, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const listen = (server: Server): Promise<Server> =>
  new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(server)))

function findLink(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((found, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => {
        output += text.toString()
        const link = /^ {2}(http\S+\/setup#\S+)$/m.exec(output)?.[1]
        if (link) found(link)
      })
    child.once('exit', () => failed(new Error(`The server ended: ${output}`)))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((exit) => child.once('exit', exit))
  child.kill('SIGTERM')
  await ended
}

/** As much of SMTP as a client needs that sends one mail after the other. */
function takeMails(socket: Socket, mails: string[]): void {
  let text = ''
  let isData = false
  socket.on('error', () => undefined)
  socket.write('220 journey\r\n')
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n'
      const at = text.indexOf(end)
      if (at < 0) return
      const part = text.slice(0, at)
      text = text.slice(at + end.length)
      if (isData) mails.push(part.replace(/=\r\n/g, '').replace(/=3D/g, '='))
      const isDataNext = !isData && /^DATA/i.test(part)
      socket.write(isDataNext ? '354 go on\r\n' : /^QUIT/i.test(part) ? '221 bye\r\n' : '250 ok\r\n')
      isData = isDataNext
    }
  })
}
