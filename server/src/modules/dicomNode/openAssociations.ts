import type { Socket } from 'node:net'
import { toAddressKey } from '../../core/addressKey.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Association } from '../../outside/dimse/association.ts'
import { findPartner, findRefusal } from './admission.ts'
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

/** Of all associations, those that one partner, or strangers behind one address, may have. */
const share = 1 / 4

/** The lines of the node: bounded in all, by partner and by address, and cut off when their partner may not go on. */
export class OpenAssociations {
  readonly #deps: Pick<Dependencies, 'db' | 'settings'>
  readonly #lines = new Set<OpenLine>()
  isClosing = false

  constructor(deps: Pick<Dependencies, 'db' | 'settings'>) {
    this.#deps = deps
  }

  get size(): number {
    return this.#lines.size
  }

  /** Undefined where there are too many already: the line is closed, and no proposal is read. */
  begin(socket: Socket, fingerprint: string | undefined): OpenLine | undefined {
    const address = socket.remoteAddress ?? ''
    const most = this.#deps.settings.dicomAssociations
    const key = toAddressKey(address)
    // Whoever has not said yet who it is, or is about to be told that there are too many.
    const strangers = [...this.#lines].filter((line) => !line.peer && toAddressKey(line.address) === key).length
    if (this.isClosing || address === '' || this.#lines.size >= 2 * most || strangers >= Math.ceil(most * share)) {
      socket.destroy()
      return undefined
    }
    const line: OpenLine = { socket, address, fingerprint, isBusy: false }
    this.#lines.add(line)
    socket.once('close', () => this.#lines.delete(line))
    return line
  }

  /** Whether one more is too many, of all or of this partner. */
  isFull(partnerId: string): boolean {
    const known = [...this.#lines].filter((line) => line.peer)
    const most = this.#deps.settings.dicomAssociations
    const own = known.filter((line) => line.peer?.partner.id === partnerId).length
    return known.length >= most || own >= Math.ceil(most * share)
  }

  /** After news: who may not go on is cut off, whatever is under way; others go on with what they may do now. */
  async judgeAnew(organizationIds?: readonly string[]): Promise<void> {
    for (const line of this.#lines) {
      const { peer } = line
      if (!peer || (organizationIds && !organizationIds.includes(peer.partner.organization_id))) continue
      const partner = await findPartner(this.#deps, peer.partner.organization_id, peer.callingTitle)
      const isSame = partner?.id === peer.partner.id && findRefusal(partner, line) === undefined
      if (isSame)
        line.peer = { ...toPeer(partner, peer), context: { ...peer.context, viewer: toPeer(partner, peer).viewer } }
      else line.association?.abort()
      if (!isSame) line.socket.destroySoon()
    }
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
