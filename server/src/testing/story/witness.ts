import { readdirSync } from 'node:fs'
import type { Receiver } from '../../modules/webhook/webhookInTests.ts'
import { openLive, type LiveChannel } from '../live.ts'
import type { TestServer } from '../server.ts'
import { showTime, type Names } from './names.ts'
import { showValue } from './show.ts'

const ofLogger: ReadonlySet<string> = new Set(['time', 'pid', 'hostname', 'reqId'])
/** Where this machine has the sources. */
const withoutStack = (name: string, value: unknown): unknown => (name === 'stack' ? undefined : value)

/** Sees what a server does beside its answers and its rows. */
export class Witness {
  readonly #server: TestServer
  readonly #receiver: Receiver
  readonly #names: Names
  readonly #channels = new Map<string, LiveChannel>()
  readonly #ended: string[] = []
  #files: readonly string[] = []
  #received = 0
  #logged = 0

  constructor(server: TestServer, receiver: Receiver, names: Names) {
    this.#server = server
    this.#receiver = receiver
    this.#names = names
  }

  /** Hears what a page of somebody hears. */
  async hear(name: string, url: string, query: Record<string, string>): Promise<void> {
    const channel = await openLive(url, query)
    this.#channels.set(name, channel)
    void channel.closed.then(({ code, reason }) =>
      this.#ended.push(`live: ${name} hears the end, ${code} ${reason}`.trim()),
    )
  }

  /** Whether the page of somebody is open yet. */
  hears(name: string): boolean {
    return this.#channels.get(name)?.isOpen === true
  }

  /** Of what is so by now; another one says that something has happened. */
  get sign(): string {
    return `${this.#receiver.received.length} ${this.#server.logs.length}`
  }

  /** Until every page has what was sent to it: an answer comes behind all that was sent before. */
  async hearAll(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((channel) => channel.hear()))
  }

  /** Everything since it was last asked. */
  take(): string[] {
    return [...this.#takeFrames(), ...this.#takeHooks(), ...this.#takeFiles(), ...this.#takeLog()]
  }

  /** From now on. */
  forget(): void {
    this.take()
  }

  close(): void {
    for (const channel of this.#channels.values()) channel.close()
  }

  #inOrder(texts: readonly string[]): string[] {
    const masked = texts.map((text) => [this.#names.mask(text), text] as const)
    return masked.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, text]) => text)
  }

  #takeFrames(): string[] {
    const heard = [...this.#channels].flatMap(([name, { frames }]) =>
      frames.splice(0).map((frame) => `live: ${name} hears ${showValue(frame, this.#names.apply)}`),
    )
    return [...this.#inOrder(heard), ...this.#ended.splice(0).sort()]
  }

  #takeHooks(): string[] {
    const fresh = this.#receiver.received.slice(this.#received)
    this.#received = this.#receiver.received.length
    const texts = fresh.map(({ type, path, headers, body }) => {
      const said = [`webhook ${type} to ${path}`, `    webhook-id: ${String(headers['webhook-id'])}`]
      said.push(`    webhook-timestamp: ${showTime(Number(headers['webhook-timestamp']) * 1000)}`)
      said.push(`    signatures: ${String(headers['webhook-signature']).split(' ').length}`)
      return [...said, `    ${showValue(JSON.parse(body), this.#names.apply)}`].join('\n')
    })
    return this.#inOrder(texts)
  }

  #takeFiles(): string[] {
    const { dataDir } = this.#server.deps.settings
    const now = readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath.slice(dataDir.length + 1)}/${name}`)
    const lines = [
      ...now.filter((file) => !this.#files.includes(file)).map((file) => `file + ${file}`),
      ...this.#files.filter((file) => !now.includes(file)).map((file) => `file - ${file}`),
    ]
    this.#files = now
    return this.#inOrder(lines)
  }

  #takeLog(): string[] {
    const fresh = this.#server.logs.slice(this.#logged)
    this.#logged = this.#server.logs.length
    const lines = fresh.flatMap((line) => {
      const { level, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
      if (msg === 'request' || Number(level) < 30) return []
      const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !ofLogger.has(name)))
      const kind = Number(level) >= 50 ? 'error' : Number(level) >= 40 ? 'warn' : 'info'
      return [
        `log ${kind}: ${String(msg)} ${showValue(JSON.parse(JSON.stringify(rest, withoutStack)), this.#names.apply)}`,
      ]
    })
    return this.#inOrder(lines)
  }
}
