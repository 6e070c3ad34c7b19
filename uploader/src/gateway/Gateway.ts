import { createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { Admission, toAddress, type RefusedCaller } from './admission.ts'
import { Commitments } from './Commitments.ts'
import type { GatewayPartner, GatewaySettings } from './gatewaySettings.ts'
import { Ledger } from './Ledger.ts'
import { serveAssociation } from './serving.ts'
import { Spool, toReceived } from './Spool.ts'

export interface PartnerState extends GatewayPartner {
  /** Since the uploader started. */
  readonly received: number
  readonly receivedBytes: number
  readonly lastSeen: string | undefined
  readonly waiting: number
}

/** What the window shows of the gateway. */
export interface GatewayState {
  readonly settings: GatewaySettings | undefined
  readonly isListening: boolean
  readonly problem: string | undefined
  readonly partners: readonly PartnerState[]
  readonly callers: readonly RefusedCaller[]
  readonly waiting: number
  readonly commitments: number
  readonly isFull: boolean
}

const mostAssociations = 32
/** Of one address: a device opens one or a few. */
const mostOfAddress = 8
const settledAfterMs = 500
const closeWithinMs = 5000

interface Seen {
  received: number
  receivedBytes: number
  lastSeen: string
}

/** Takes what devices send that only speak DICOM, keeps it on the disk, and answers for it when the server has it. */
export class Gateway {
  readonly spool: Spool
  readonly #ledger: Ledger
  readonly #commitments: Commitments
  readonly #admission = new Admission()
  readonly #lines = new Map<Socket, string>()
  readonly #seen = new Map<string, Seen>()
  readonly #onReceived: () => void
  readonly #keep: (sentence: string) => void
  #settings: GatewaySettings | undefined
  #server: Server | undefined
  #problem: string | undefined
  #isClosing = false
  #settledTimer: NodeJS.Timeout | undefined

  /** `onReceived` is called when there is something to be sent, `keep` with what belongs in the log. */
  constructor(stateFolder: string, onReceived: () => void, keep: (sentence: string) => void) {
    this.spool = new Spool(stateFolder)
    this.#ledger = new Ledger(path.join(stateFolder, 'gateway'))
    this.#commitments = new Commitments(path.join(stateFolder, 'gateway', 'commitments'), this.spool, this.#ledger)
    this.#onReceived = onReceived
    this.#keep = keep
  }

  /** Listens as the settings say, or not at all. A port that is taken is a problem to be shown, and no end. */
  async use(settings: GatewaySettings | undefined): Promise<void> {
    const isElsewhere = settings?.port !== this.#settings?.port || settings?.host !== this.#settings?.host
    this.#settings = settings
    if (settings) this.spool.reserveBytes = settings.reserveGigabytes * 10 ** 9
    this.#admission.forget(settings)
    this.#commitments.use(settings)
    if (!isElsewhere && this.#server?.listening) return
    await this.#stopListening()
    if (settings) await this.#listen(settings)
  }

  get state(): GatewayState {
    const { partners = [] } = this.#settings ?? {}
    return {
      settings: this.#settings,
      isListening: this.#server?.listening === true,
      problem: this.#problem,
      partners: partners.map((partner) => {
        const { received = 0, receivedBytes = 0, lastSeen } = this.#seen.get(partner.aeTitle) ?? {}
        return { ...partner, received, receivedBytes, lastSeen, waiting: this.spool.waitingOf(partner.aeTitle) }
      }),
      callers: this.#admission.callers,
      waiting: this.spool.waiting,
      commitments: this.#commitments.size,
      isFull: this.spool.isFull,
    }
  }

  /** What became of a file of the spool. Returns where it is now, if it is anywhere. */
  settle(file: string, outcome: 'stored' | 'duplicate' | 'refused' | 'not-dicom'): string | undefined {
    // Noted before it is gone: of what is neither here nor noted, a device would be told that it never came.
    if (outcome === 'stored' || outcome === 'duplicate') this.#ledger.note(toReceived(file))
    const place = this.spool.settle(file, outcome)
    this.#settledTimer ??= setTimeout(() => {
      this.#settledTimer = undefined
      this.#commitments.look()
    }, settledAfterMs)
    return place
  }

  /** What is under way is not completed: its device was told nothing, and sends it again. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#settledTimer)
    await this.#stopListening()
    await this.#commitments.close()
  }

  async #listen(settings: GatewaySettings): Promise<void> {
    const { port, host } = settings
    const server = createServer((socket) => this.#onLine(socket))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject).listen({ port, ...(host !== undefined && { host }) }, resolve)
    try {
      await promise
      server.off('error', reject).on('error', () => undefined)
      this.#server = server
      this.#problem = undefined
      this.#keep(`The gateway ${settings.aeTitle} listens on port ${port}.`)
    } catch (cause) {
      const { code = 'unknown' } = cause as { code?: string }
      this.#problem = `The gateway cannot listen on port ${port} (${code}). Stop the program that has it, or choose another port.`
      this.#keep(this.#problem)
    }
  }

  async #stopListening(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const { promise, resolve } = Promise.withResolvers<void>()
    server.close(() => resolve())
    const timer = setTimeout(() => {
      for (const socket of this.#lines.keys()) socket.destroy()
    }, closeWithinMs)
    if (this.#isClosing) for (const socket of this.#lines.keys()) socket.destroySoon()
    await promise
    clearTimeout(timer)
  }

  #onLine(socket: Socket): void {
    const address = toAddress(socket.remoteAddress ?? '')
    const ofAddress = [...this.#lines.values()].filter((each) => each === address)
    if (this.#isClosing || this.#lines.size >= mostAssociations || ofAddress.length >= mostOfAddress)
      return void socket.destroy()
    this.#lines.set(socket, address)
    socket.once('close', () => this.#lines.delete(socket))
    void serveAssociation(
      {
        spool: this.spool,
        commitments: this.#commitments,
        judge: (request) => {
          if (!this.#settings) return 'congestion'
          const refused = this.#admission.judge(this.#settings, request, address)
          const { callingTitle } = request
          if (refused) this.#keep(`${callingTitle} at ${address} was refused by the gateway.`)
          else this.#sees(callingTitle)
          return refused
        },
        onReceived: (aeTitle, bytes) => {
          const seen = this.#sees(aeTitle)
          seen.received += 1
          seen.receivedBytes += bytes
          this.#onReceived()
        },
        onFault: (sentence) => this.#keep(`The gateway failed: ${sentence}`),
        isClosing: () => this.#isClosing,
      },
      socket,
    )
  }

  /** Partners alone, of whom the settings have a bounded number. */
  #sees(aeTitle: string): Seen {
    const seen = this.#seen.get(aeTitle) ?? { received: 0, receivedBytes: 0, lastSeen: '' }
    seen.lastSeen = new Date().toISOString()
    this.#seen.set(aeTitle, seen)
    return seen
  }
}
