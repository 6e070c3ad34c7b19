import { randomUUID } from 'node:crypto'
import { actionsOfService, type ServiceName } from '@dmp/contract/dicomPartner'
import { moduleIds } from '@dmp/contract/policy'
import { OperationRefused, status } from '@dmp/dimse'
import type { Caller, Viewer } from '../../core/context.ts'
import type { Turn } from '../../core/fairTurns.ts'
import type { WriteContext } from '../../db/write.ts'
import type { Dependencies } from '../../dependencies.ts'
import { dicomWebRoot, type ReadScope } from '../dicomweb/scope.ts'
import { assertDatastore, getDatastore, refuseDeactivated } from '../scan/scan.repository.ts'
import type { PartnerRow } from './partnerStatus.ts'

/** A partner that was let in, on one association. */
export interface Peer {
  readonly partner: PartnerRow
  readonly viewer: Viewer
  readonly context: WriteContext & { readonly viewer: Viewer }
  readonly turn: Turn
  readonly address: string
  readonly callingTitle: string
  readonly calledTitle: string
}

/** A viewer of its own kind: within its organization, and with no more than the actions of its services. */
export function toPeer(
  partner: PartnerRow,
  { address, callingTitle, calledTitle }: Pick<Peer, 'address' | 'callingTitle' | 'calledTitle'>,
): Peer {
  const viewer: Viewer = {
    userId: partner.id,
    ownerId: partner.owner_id,
    email: '',
    fullName: partner.name,
    organizationId: partner.organization_id,
    role: 'service_user',
    policy: [
      {
        moduleId: moduleIds.Scan,
        module: 'Scan',
        actions: partner.services.flatMap((service) => actionsOfService[service]),
      },
    ],
    isInternal: false,
    sessionId: partner.id,
    isLimited: true,
  }
  const request: Caller = { id: randomUUID(), ip: address, userAgent: '', isBrowser: false }
  const turn = { customer: partner.organization_id, person: partner.id }
  return { partner, viewer, context: { viewer, request }, turn, address, callingTitle, calledTitle }
}

export function assertMay({ partner }: Peer, service: ServiceName): void {
  if (!partner.services.includes(service))
    throw new OperationRefused(status.notAuthorized, `This partner does not have the service ${service}.`)
}

/** Counts searches, retrievals of one thing each, and requests for commitment. Throws 429 after too many. */
export async function spendOperations(
  { limits }: Pick<Dependencies, 'limits'>,
  { partner }: Peer,
  operations: number,
): Promise<void> {
  for (let spent = 0; spent < operations; spent += 1) await limits.spend('DICOM operation', undefined, partner.id)
}

/** The organization, as the database has it now. Throws `Refusal` when nothing may enter or leave it. */
export async function openScope({ db, settings }: Dependencies, peer: Peer): Promise<ReadScope> {
  const store = await getDatastore(db, peer.viewer)
  refuseDeactivated(store)
  assertDatastore(store)
  return {
    store,
    context: peer.context,
    turn: peer.turn,
    reader: peer.viewer.userId,
    studies: undefined,
    series: undefined,
    origin: settings.publicUrl ?? '',
    root: dicomWebRoot,
    mayCache: false,
    about: {},
  }
}
