import { isTitle, type AssociateRequest, type Rejection } from '@dmp/dimse'
import type { GatewaySettings } from './gatewaySettings.ts'

/** Why somebody was refused. */
export type CallerReason = 'Unknown' | 'WrongAddress' | 'WrongCertificate' | 'WrongTitle'

/** Where a line comes from, and the certificate that it showed. */
export interface From {
  readonly address: string
  readonly fingerprint: string | undefined
}

/** Somebody who called and was refused, for whoever decides about that. */
export interface RefusedCaller extends From {
  readonly aeTitle: string
  readonly calledTitle: string
  readonly reason: CallerReason
  readonly times: number
  readonly at: string
}

const mostCallers = 50

/** Addresses of version 4 as people write them, also where they come over a line of version 6. */
export const toAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** Lets in whom the settings name, and lists the others. */
export class Admission {
  readonly #callers = new Map<string, RefusedCaller>()

  /** The newest first. */
  get callers(): readonly RefusedCaller[] {
    return [...this.#callers.values()].reverse()
  }

  /** Those that the settings let in by now are no strangers any more. */
  forget(settings: GatewaySettings | undefined): void {
    for (const [key, { aeTitle, calledTitle, address, fingerprint }] of this.#callers)
      if (
        settings &&
        findReason(settings, { callingTitle: aeTitle, calledTitle }, { address, fingerprint }) === undefined
      )
        this.#callers.delete(key)
  }

  judge(
    settings: GatewaySettings,
    request: Pick<AssociateRequest, 'callingTitle' | 'calledTitle'>,
    from: From,
  ): Rejection | undefined {
    const reason = findReason(settings, request, from)
    if (reason === undefined) return undefined
    if (isTitle(request.callingTitle) && isTitle(request.calledTitle)) this.#note(request, from, reason)
    return reason === 'WrongTitle' ? 'calledTitle' : 'callingTitle'
  }

  #note(
    { callingTitle: aeTitle, calledTitle }: Pick<AssociateRequest, 'callingTitle' | 'calledTitle'>,
    { address, fingerprint }: From,
    reason: CallerReason,
  ): void {
    const key = JSON.stringify([aeTitle, address])
    const times = (this.#callers.get(key)?.times ?? 0) + 1
    this.#callers.delete(key)
    this.#callers.set(key, { aeTitle, calledTitle, address, fingerprint, reason, times, at: new Date().toISOString() })
    const [oldest] = this.#callers.keys()
    if (this.#callers.size > mostCallers && oldest !== undefined) this.#callers.delete(oldest)
  }
}

function findReason(
  { aeTitle, partners }: GatewaySettings,
  { callingTitle, calledTitle }: Pick<AssociateRequest, 'callingTitle' | 'calledTitle'>,
  { address, fingerprint }: From,
): CallerReason | undefined {
  const partner = partners.find((each) => each.aeTitle === callingTitle)
  if (!partner) return 'Unknown'
  if (partner.address !== undefined && toAddress(partner.address) !== address) return 'WrongAddress'
  if (partner.fingerprint !== undefined && partner.fingerprint !== fingerprint) return 'WrongCertificate'
  return calledTitle === aeTitle ? undefined : 'WrongTitle'
}
