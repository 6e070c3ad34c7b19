import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import path from 'node:path'
import { connect as connectTls } from 'node:tls'
import {
  commitmentContext,
  requestAssociation,
  sendCommitmentReport,
  status,
  type CommitmentReport,
  type CommitmentRequest,
  type Reference,
} from '@dmp/dimse'
import { fingerprintOf, type Certificate } from './certificate.ts'
import type { GatewayPartner, GatewaySettings } from './gatewaySettings.ts'
import type { Ledger } from './Ledger.ts'
import type { Spool } from './Spool.ts'

/** A request that is answered when the server has what it names. */
interface Pending extends CommitmentRequest {
  readonly aeTitle: string
  readonly at: number
}

const lookEveryMs = 60_000
const answerWithinMs = 30_000
const connectWithinMs = 10_000
const givenUpAfterMs = 7 * 86_400_000
/** Objects that devices wait for, in memory. */
const mostReferences = 200_000

/** Storage commitment: the gateway answers for an object when the server does, and remembers until then who asked. */
export class Commitments {
  readonly #folder: string
  readonly #spool: Spool
  readonly #ledger: Ledger
  readonly #pending = new Map<string, Pending>()
  readonly #timer: NodeJS.Timeout
  #settings: GatewaySettings | undefined
  #certificate: Certificate | undefined
  #sending: Promise<void> | undefined

  constructor(folder: string, spool: Spool, ledger: Ledger) {
    this.#folder = folder
    this.#spool = spool
    this.#ledger = ledger
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
      try {
        this.#pending.set(name, JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Pending)
      } catch {
        rmSync(path.join(folder, name), { force: true })
      }
    }
    this.#timer = setInterval(() => this.look(), lookEveryMs)
    this.#timer.unref()
  }

  get size(): number {
    return this.#pending.size
  }

  /** A partner that is known by its certificate is reported to by TLS, with the gateway's own. */
  use(settings: GatewaySettings | undefined, certificate?: Certificate): void {
    this.#settings = settings
    this.#certificate = certificate
    this.look()
  }

  /** What can be said of these objects; undefined while one of them waits for the server. */
  judge({ transactionUID, references }: CommitmentRequest): CommitmentReport | undefined {
    const kept: Reference[] = []
    const failures: (Reference & { readonly reason: number })[] = []
    for (const reference of references) {
      if (this.#spool.isWaiting(reference.sopInstanceUID)) return undefined
      const sopClassUID = this.#ledger.find(reference.sopInstanceUID)
      if (sopClassUID === undefined) failures.push({ ...reference, reason: status.noSuchInstance })
      else if (sopClassUID !== reference.sopClassUID)
        failures.push({ ...reference, reason: status.classInstanceConflict })
      else kept.push(reference)
    }
    return { transactionUID, references: kept, failures }
  }

  /** Whether the partner can be told later. */
  canReport(aeTitle: string): boolean {
    const waiting = [...this.#pending.values()].reduce((sum, { references }) => sum + references.length, 0)
    return waiting < mostReferences && this.#partner(aeTitle)?.port !== undefined
  }

  /** Remembers a request on the disk, also over a restart. */
  keep(aeTitle: string, request: CommitmentRequest): void {
    const pending: Pending = { aeTitle, at: Date.now(), ...request }
    const name = `${randomUUID()}.json`
    const unfinished = path.join(this.#folder, `.${name}`)
    const file = openSync(unfinished, 'wx', 0o600)
    writeSync(file, JSON.stringify(pending))
    fsyncSync(file)
    closeSync(file)
    renameSync(unfinished, path.join(this.#folder, name))
    this.#pending.set(name, pending)
  }

  /** Reports what can be reported by now. */
  look(): void {
    this.#sending ??= this.#report().finally(() => (this.#sending = undefined))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sending
  }

  async #report(): Promise<void> {
    for (const [name, pending] of this.#pending) {
      const report = this.judge(pending)
      const isOver = Date.now() - pending.at > givenUpAfterMs
      if (!isOver && (report === undefined || !(await this.#send(pending.aeTitle, report)))) continue
      rmSync(path.join(this.#folder, name), { force: true })
      this.#pending.delete(name)
    }
  }

  /** On an association of our own; false where the partner did not take it. */
  async #send(aeTitle: string, report: CommitmentReport): Promise<boolean> {
    const partner = this.#partner(aeTitle)
    if (this.#settings === undefined || partner?.address === undefined || partner.port === undefined) return false
    let socket: Socket | undefined
    try {
      socket = await dial(partner, this.#certificate)
      const { context, role } = commitmentContext
      const names = { calledTitle: aeTitle, callingTitle: this.#settings.aeTitle }
      const proposal = { ...names, contexts: [context], roles: [role] }
      const association = await requestAssociation(socket, answerWithinMs, proposal)
      const agreed = association.contexts.get(context.id)
      if (agreed) await sendCommitmentReport(association, agreed, report)
      await association.release()
      return agreed !== undefined
    } catch {
      // It is asked again in a minute.
      socket?.destroy()
      return false
    }
  }

  #partner(aeTitle: string) {
    return this.#settings?.partners.find((each) => each.aeTitle === aeTitle)
  }
}

/** A line to the partner; one that is known by its certificate has to show it before a word is said. */
async function dial({ address, port = 0, fingerprint }: GatewayPartner, certificate?: Certificate): Promise<Socket> {
  const there = { host: address, port, timeout: connectWithinMs }
  // Judged below, by the fingerprint alone.
  const sealed =
    fingerprint === undefined
      ? undefined
      : connectTls({ ...there, ...certificate, rejectUnauthorized: false, minVersion: 'TLSv1.2' })
  const socket = sealed ?? connectPlain(there)
  socket.once('timeout', () => socket.destroy(new Error('too slow')))
  try {
    await once(socket, sealed ? 'secureConnect' : 'connect')
    if (fingerprintOf(sealed?.getPeerCertificate().raw) !== fingerprint) throw new Error('another certificate')
    return socket
  } catch (cause) {
    socket.destroy()
    throw cause
  }
}
