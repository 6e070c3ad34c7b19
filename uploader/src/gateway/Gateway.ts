import { X509Certificate } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { Admission, toAddress, type RefusedCaller } from './admission.ts'
import { fingerprintOf, readCertificate, type Certificate } from './certificate.ts'
import { Commitments } from './Commitments.ts'
import type { Why } from '../answer.ts'
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
  /** The certificate that devices are to be given; undefined without TLS. */
  readonly certificate: { readonly file: string; readonly fingerprint: string } | undefined
}

const mostAssociations = 32
/** Of one address: a device opens one or a few. */
const mostOfAddress = 8
const settledAfterMs = 500
const closeWithinMs = 5000
const handshakeMs = 5000

interface Seen {
  received: number
  receivedBytes: number
  lastSeen: string
}

/** Takes what devices send that only speak DICOM, keeps it on the disk, and answers for it when the server has it. */
export class Gateway {
  readonly spool: Spool
  readonly #stateFolder: string
  readonly #ledger: Ledger
  readonly #commitments: Commitments
  readonly #admission = new Admission()
  readonly #lines = new Map<Socket, string>()
  readonly #seen = new Map<string, Seen>()
  readonly #onReceived: () => void
  readonly #keep: (sentence: string) => void
  #settings: GatewaySettings | undefined
  /** Without and with TLS. */
  #servers: readonly Server[] = []
  #certificate: Certificate | undefined
  #problem: string | undefined
  #isClosing = false
  #settledTimer: NodeJS.Timeout | undefined

  /** `onReceived` is called when there is something to be sent, `keep` with what belongs in the log. */
  constructor(stateFolder: string, onReceived: () => void, keep: (sentence: string) => void) {
    this.#stateFolder = stateFolder
    this.spool = new Spool(stateFolder)
    this.#ledger = new Ledger(path.join(stateFolder, 'gateway'))
    this.#commitments = new Commitments(path.join(stateFolder, 'gateway', 'commitments'), this.spool, this.#ledger)
    this.#onReceived = onReceived
    this.#keep = keep
  }

  /** Listens as the settings say, or not at all. A port that is taken is a problem to be shown, and no end. */
  async use(settings: GatewaySettings | undefined): Promise<void> {
    const toPlace = ({ port, host, tls }: Partial<GatewaySettings> = {}): string => JSON.stringify([port, host, tls])
    const isElsewhere = toPlace(settings) !== toPlace(this.#settings)
    this.#settings = settings
    if (settings) this.spool.reserveBytes = settings.reserveGigabytes * 10 ** 9
    this.#admission.forget(settings)
    if (isElsewhere || !this.#isListening) {
      await this.#stopListening()
      if (settings) await this.#listen(settings)
    }
    this.#commitments.use(settings, this.#certificate)
  }

  get state(): GatewayState {
    const { partners = [] } = this.#settings ?? {}
    return {
      settings: this.#settings,
      isListening: this.#isListening,
      problem: this.#problem,
      partners: partners.map((partner) => {
        const { received = 0, receivedBytes = 0, lastSeen } = this.#seen.get(partner.aeTitle) ?? {}
        return { ...partner, received, receivedBytes, lastSeen, waiting: this.spool.waitingOf(partner.aeTitle) }
      }),
      callers: this.#admission.callers,
      waiting: this.spool.waiting,
      commitments: this.#commitments.size,
      isFull: this.spool.isFull,
      certificate: this.#certificate && {
        file: this.#certificate.file,
        fingerprint: new X509Certificate(this.#certificate.cert).fingerprint256,
      },
    }
  }

  /**
   * What became of a file of the spool. Returns where it is now, if it is anywhere. `isCopied`: the server has a
   * de-identified copy alone. That is never committed: a device that deletes what is would delete the original.
   */
  settle(
    file: string,
    outcome: 'stored' | 'duplicate' | 'refused' | 'not-dicom',
    isCopied = false,
    why?: Why,
  ): string | undefined {
    // Noted before it is gone: of what is neither here nor noted, a device would be told that it never came.
    if (!isCopied && (outcome === 'stored' || outcome === 'duplicate')) this.#ledger.note(toReceived(file))
    const place = this.spool.settle(file, outcome, why)
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

  get #isListening(): boolean {
    return this.#servers.length > 0 && this.#servers.every(({ listening }) => listening)
  }

  async #listen(settings: GatewaySettings): Promise<void> {
    const { aeTitle, port, host, tls } = settings
    this.#problem = undefined
    try {
      this.#certificate = tls && readCertificate(path.join(this.#stateFolder, 'gateway'), tls)
      const plain = createServer((socket) => this.#onLine(socket))
      const sealed = this.#certificate && this.#createTlsServer(this.#certificate)
      await this.#open(plain, port, host)
      if (sealed && tls) await this.#open(sealed, tls.port, host)
      this.#keep(`The gateway ${aeTitle} listens on port ${port}${tls ? `, and with TLS on port ${tls.port}` : ''}.`)
    } catch (cause) {
      this.#problem ??= `The certificate of the gateway cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`
      this.#keep(this.#problem)
      await this.#stopListening()
    }
  }

  #createTlsServer({ cert, key, ca }: Certificate): Server {
    const options = {
      cert,
      key,
      ...(ca && { ca }),
      requestCert: true,
      // Without an authority each certificate is judged by its fingerprint.
      rejectUnauthorized: ca !== undefined,
      minVersion: 'TLSv1.2' as const,
      handshakeTimeout: handshakeMs,
    }
    const server = createTlsServer(options, (socket) => this.#onLine(socket, socket))
    // Who only connects and says nothing holds a line as well.
    server.maxConnections = 2 * mostAssociations
    return server.on('tlsClientError', (cause, socket) => {
      const address = toAddress(socket.remoteAddress ?? '')
      this.#keep(`A line from ${address} to the gateway's port with TLS failed: ${cause.message}`)
    })
  }

  async #open(server: Server, port: number, host: string | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject).listen({ port, ...(host !== undefined && { host }) }, resolve)
    try {
      await promise
    } catch (cause) {
      const { code = 'unknown' } = cause as { code?: string }
      this.#problem = `The gateway cannot listen on port ${port} (${code}). Stop the program that has it, or choose another port.`
      throw cause
    }
    server.off('error', reject).on('error', () => undefined)
    this.#servers = [...this.#servers, server]
  }

  async #stopListening(): Promise<void> {
    const servers = this.#servers
    this.#servers = []
    this.#certificate = undefined
    if (servers.length === 0) return
    const closed = Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
    const timer = setTimeout(() => {
      for (const socket of this.#lines.keys()) socket.destroy()
    }, closeWithinMs)
    if (this.#isClosing) for (const socket of this.#lines.keys()) socket.destroySoon()
    await closed
    clearTimeout(timer)
  }

  #onLine(socket: Socket, sealed?: TLSSocket): void {
    const fingerprint = fingerprintOf(sealed?.getPeerCertificate().raw)
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
          const refused = this.#admission.judge(this.#settings, request, { address, fingerprint })
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
