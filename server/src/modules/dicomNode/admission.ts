import type { CallerReason } from '@dmp/contract/dicomPartner'
import { isTitle, type Rejection } from '@dmp/dimse'
import { toAddressKey } from '../../core/addressKey.ts'
import { BoundedMap } from '../../core/BoundedMap.ts'
import { isWithin } from '../../core/networks.ts'
import type { Dependencies } from '../../dependencies.ts'
import { noteCaller } from './callers.repository.ts'
import { selectPartners, type PartnerRow } from './partnerStatus.ts'

/** Who calls, as far as the line tells. */
export interface Line {
  readonly address: string
  /** SHA-256 of the certificate that was shown; undefined without TLS, or without a certificate. */
  readonly fingerprint: string | undefined
}

export interface Titles {
  readonly callingTitle: string
  readonly calledTitle: string
}

/** Why the partner may not speak on this line at present; undefined where it may. */
export function findRefusal(partner: PartnerRow | undefined, { address, fingerprint }: Line): CallerReason | undefined {
  if (!partner) return 'Unknown'
  if (partner.status !== 'Active') return 'Disabled'
  if (partner.addresses.length > 0 && !isWithin(partner.addresses, address)) return 'WrongAddress'
  if (partner.fingerprint !== null && partner.fingerprint !== fingerprint) return 'WrongCertificate'
  return undefined
}

export const findPartner = (
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  title: string,
): Promise<PartnerRow | undefined> =>
  selectPartners(db)
    .where('dicom_partners.organization_id', '=', organizationId)
    .where('dicom_partners.ae_title', '=', title)
    .executeTakeFirst()

/** Judges who proposes an association: the called title says which organization, the calling one which partner. */
export class Admission {
  readonly #deps: Dependencies
  readonly #noted = new BoundedMap<string, { at: number; times: number }>(maxNoted)
  readonly #seen = new BoundedMap<string, number>(maxNoted)
  #writes = { since: 0, count: 0, byNetwork: new Map<string, number>() }

  constructor(deps: Dependencies) {
    this.#deps = deps
  }

  /** The partner, or the reason of the rejection. Throws when the database does not answer. */
  async judge({ callingTitle, calledTitle }: Titles, line: Line): Promise<PartnerRow | Rejection> {
    const { db, limits, penalties } = this.#deps
    await limits.spend('DICOM association', toAddressKey(line.address), undefined)
    if (!isTitle(calledTitle)) return 'calledTitle'
    if (!isTitle(callingTitle)) return 'callingTitle'
    const organizations = await db
      .selectFrom('organizations')
      .select('id')
      .where('ae_title', '=', calledTitle)
      .limit(2)
      .execute()
    const [organization] = organizations
    // Two of one title would be one chance in a billion; neither gets what is the other's.
    if (!organization || organizations.length > 1) return 'calledTitle'
    const partner = await findPartner(this.#deps, organization.id, callingTitle)
    const reason = findRefusal(partner, line)
    if (reason !== undefined || !partner) {
      this.#note(organization.id, callingTitle, line, reason ?? 'Unknown')
      return 'callingTitle'
    }
    await limits.spend('DICOM association', undefined, partner.id)
    await penalties.admit({ organizationId: partner.organization_id, userId: partner.id }, line.address, false)
    this.#sawPartner(partner, line)
    return partner
  }

  /**
   * Of one caller now and then, and of one network and of all together a bounded number: strangers cannot keep the
   * database busy, nor one of them hide the others.
   */
  #note(organizationId: string, aeTitle: string, { address, fingerprint }: Line, reason: CallerReason): void {
    const key = JSON.stringify([organizationId, aeTitle, address])
    const now = performance.now()
    const known = this.#noted.get(key) ?? { at: -Infinity, times: 0 }
    known.times += 1
    this.#noted.set(key, known)
    if (now - this.#writes.since > notedAgainMs) this.#writes = { since: now, count: 0, byNetwork: new Map() }
    const network = toAddressKey(address)
    const ofNetwork = this.#writes.byNetwork.get(network) ?? 0
    if (now - known.at < notedAgainMs || ofNetwork >= writesOfNetwork || this.#writes.count >= writesInThatTime) return
    this.#writes.count += 1
    this.#writes.byNetwork.set(network, ofNetwork + 1)
    const { times } = known
    this.#noted.set(key, { at: now, times: 0 })
    const caller = { organizationId, aeTitle, address, reason, fingerprint: fingerprint ?? null }
    this.#deps.background(noteCaller(this.#deps.db, caller, times))
  }

  #sawPartner({ id }: PartnerRow, { address }: Line): void {
    const key = `${id} ${address}`
    const now = performance.now()
    if (now - (this.#seen.get(key) ?? -Infinity) < seenAgainMs) return
    this.#seen.set(key, now)
    this.#deps.background(
      this.#deps.db
        .updateTable('dicom_partners')
        .set(({ fn }) => ({ last_seen_date: fn<Date>('now'), last_seen_address: address }))
        .where('id', '=', id)
        .execute(),
    )
  }
}

const maxNoted = 1000
const notedAgainMs = 5000
const writesInThatTime = 20
const writesOfNetwork = 5
const seenAgainMs = 30_000
