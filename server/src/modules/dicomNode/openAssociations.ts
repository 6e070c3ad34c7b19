import type { Socket } from 'node:net'
import type { Association } from '@dmp/dimse'
import { toAddressKey } from '../../core/addressKey.ts'
import type { Dependencies } from '../../dependencies.ts'
import { findPartner, findRefusal } from './admission.ts'
import type { PartnerRow } from './partnerStatus.ts'
import { toPeer, type Peer } from './peer.ts'

/** One connection, and who speaks on it once that is known. */
export interface OpenLine {
  readonly socket: Socket
  readonly address: string
  readonly fingerprint: string | undefined
  association?: Association
  peer?: Peer
  /** An operation is under way. */
  isBusy: boolean
}

/** An association that the node opened itself, to send what somebody asked for. */
interface Sending {
  readonly association: Pick<Association, 'abort'>
  readonly partner: PartnerRow
}

/** Of all associations, those that one partner, or strangers behind one address, may have. */
const share = 1 / 4
/** And those that an organization may have however many others it leaves. */
const leastOfOrganization = 1

const endOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`

/** The lines of the node: bounded in all, by partner and by address, and cut off when their partner may not go on. */
export class OpenAssociations {
  readonly #deps: Pick<Dependencies, 'db' | 'settings'>
  readonly #lines = new Set<OpenLine>()
  readonly #sendings = new Set<Sending>()
  /** Sockets that have not shown a certificate yet, by their own end. */
  readonly #handshakes = new Map<string, Socket>()
  isClosing = false

  constructor(deps: Pick<Dependencies, 'db' | 'settings'>) {
    this.#deps = deps
  }

  get size(): number {
    return this.#lines.size
  }

  /** Undefined where there are too many already: the line is closed, and no proposal is read. */
  begin(socket: Socket, fingerprint: string | undefined): OpenLine | undefined {
    this.#handshakes.delete(endOf(socket))
    const address = socket.remoteAddress ?? ''
    if (!this.#makeRoom(address)) {
      socket.destroy()
      return undefined
    }
    const line: OpenLine = { socket, address, fingerprint, isBusy: false }
    this.#lines.add(line)
    socket.once('close', () => this.#lines.delete(line))
    return line
  }

  /** Whether a certificate may be waited for on this connection; it is closed otherwise. */
  beginHandshake(socket: Socket): boolean {
    if (!this.#makeRoom(socket.remoteAddress ?? '')) {
      socket.destroy()
      return false
    }
    const end = endOf(socket)
    this.#handshakes.set(end, socket)
    socket.once('close', () => this.#handshakes.delete(end))
    return true
  }

  /**
   * Whoever has not said yet who it is, or is about to be told that there are too many: few of one address, and of all
   * the oldest gives way, since who is a partner says so at once.
   */
  #makeRoom(address: string): boolean {
    if (this.isClosing || address === '') return false
    const most = this.#deps.settings.dicomAssociations
    const strangers = [
      ...[...this.#lines].filter(({ peer }) => !peer).map(({ socket }) => socket),
      ...this.#handshakes.values(),
    ]
    const key = toAddressKey(address)
    const own = strangers.filter(({ remoteAddress = '' }) => toAddressKey(remoteAddress) === key)
    if (own.length >= Math.ceil(most * share)) return false
    if (this.#lines.size + this.#handshakes.size >= 2 * most) strangers[0]?.destroy()
    return true
  }

  /**
   * Whether one more is too many, of all, of this partner or of its organization. An organization, which names as many
   * partners as it likes, has no more than it leaves to others: by itself half, of two each a third.
   */
  isFull({ id, organization_id: organizationId }: Pick<PartnerRow, 'id' | 'organization_id'>): boolean {
    const known = [...this.#lines].flatMap(({ peer }) => (peer ? [peer.partner] : []))
    const most = this.#deps.settings.dicomAssociations
    const left = most - known.length
    const own = known.filter((partner) => partner.id === id).length
    const ofOrganization = known.filter((partner) => partner.organization_id === organizationId).length
    return left <= 0 || own >= Math.ceil(most * share) || ofOrganization >= Math.max(leastOfOrganization, left)
  }

  /** After news: who may not go on is cut off, whatever is under way; others go on with what they may do now. */
  async judgeAnew(organizationIds?: readonly string[]): Promise<void> {
    for (const line of this.#lines) {
      const { peer } = line
      if (!peer || (organizationIds && !organizationIds.includes(peer.partner.organization_id))) continue
      if (!(await this.mayGoOn(line, peer))) this.#end(line)
    }
    for (const { association, partner } of this.#sendings) {
      if (organizationIds && !organizationIds.includes(partner.organization_id)) continue
      if (!(await this.#mayStillGet(partner))) association.abort()
    }
  }

  /**
   * What is sent ends with the line that asked for it, so that there are never more of one than of the other, and with
   * the right of its receiver. The function that is returned is called at its end.
   */
  async beginSending(
    { socket }: OpenLine,
    association: Pick<Association, 'abort'>,
    partner: PartnerRow,
  ): Promise<() => void> {
    const sending = { association, partner }
    const abort = (): void => association.abort()
    this.#sendings.add(sending)
    socket.once('close', abort)
    // News that came while it was opened found nothing to end.
    if (socket.destroyed || !(await this.#mayStillGet(partner))) abort()
    return () => {
      this.#sendings.delete(sending)
      socket.off('close', abort)
    }
  }

  /** Active, and where it was. */
  async #mayStillGet(partner: PartnerRow): Promise<boolean> {
    const { id, organization_id: organizationId, ae_title: title } = partner
    const now = await findPartner(this.#deps, organizationId, title).catch(() => undefined)
    if (now?.id !== id || now.status !== 'Active') return false
    return (['host', 'port', 'uses_tls', 'fingerprint'] as const).every((column) => now[column] === partner[column])
  }

  /**
   * As the database has it now; not where that does not answer, and not where a service was taken away, which may be
   * under way.
   */
  async mayGoOn(line: OpenLine, peer: Peer): Promise<boolean> {
    const { id, organization_id: organizationId, services } = peer.partner
    const partner = await findPartner(this.#deps, organizationId, peer.callingTitle).catch(() => undefined)
    if (partner?.id !== id || findRefusal(partner, line) !== undefined) return false
    if (!services.every((service) => partner.services.includes(service))) return false
    const now = toPeer(partner, peer)
    line.peer = { ...now, context: { ...peer.context, viewer: now.viewer } }
    return true
  }

  /** What is under way may be completed; who waits is told at once that it is over. */
  async close(withinMs: number): Promise<void> {
    this.isClosing = true
    for (const line of this.#lines) if (!line.isBusy) this.#end(line)
    const until = performance.now() + withinMs
    while (this.#lines.size > 0 && performance.now() < until) await new Promise((later) => setTimeout(later, 20))
    for (const line of this.#lines) line.socket.destroy()
  }

  #end({ association, socket }: OpenLine): void {
    association?.abort()
    socket.destroySoon()
  }
}
