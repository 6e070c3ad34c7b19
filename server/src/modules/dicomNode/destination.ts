import { readFileSync } from 'node:fs'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { explicitLittleEndianUID } from '@dmp/dicom/transferSyntaxes'
import {
  AssociationOver,
  AssociationRejected,
  dimseLimits,
  OperationRefused,
  ProtocolFault,
  requestAssociation,
  status,
  type Association,
  type ProposedContext,
  type RoleSelection,
} from '@dmp/dimse'
import { isWithin } from '../../core/networks.ts'
import type { Dependencies } from '../../dependencies.ts'
import { resolveHost } from '../../outside/outgoing/resolveHost.ts'
import type { Settings } from '../../settings/settings.ts'
import { findPartner } from './admission.ts'
import { fingerprintOf } from './certificates.ts'
import type { PartnerRow } from './partnerStatus.ts'
import type { Peer } from './peer.ts'
import type { Kind } from './retrieving.ts'

interface Destination {
  readonly partner: PartnerRow
  readonly association: Association
}

/** An association with the partner of this title, which takes objects of these kinds. Throws `OperationRefused`. */
export async function openDestination(
  deps: Dependencies,
  peer: Peer,
  title: string,
  kinds: readonly Kind[],
): Promise<Destination> {
  const partner = await findPartner(deps, peer.partner.organization_id, title)
  if (!partner || partner.status !== 'Active' || partner.host === null)
    throw new OperationRefused(status.destinationUnknown, 'No active partner with an address has this AE title.')
  const contexts = kinds.flatMap(({ sopClassUID, transferSyntaxUID }) =>
    [...new Set([transferSyntaxUID, explicitLittleEndianUID])].map((uid) => ({ sopClassUID, uid })),
  )
  const unique = [...new Map(contexts.map((context) => [`${context.sopClassUID} ${context.uid}`, context])).values()]
  const proposed = unique.slice(0, dimseLimits.contexts).map(({ sopClassUID, uid }, at) => ({
    id: 2 * at + 1,
    abstractSyntax: sopClassUID,
    transferSyntaxes: [uid],
  }))
  return { partner, association: await proposeTo(deps, peer, partner, proposed, []) }
}

/** Proposes an association to a partner, where the operator lets the node send. Throws `OperationRefused`. */
export async function proposeTo(
  { settings }: Pick<Dependencies, 'settings'>,
  { calledTitle }: Pick<Peer, 'calledTitle'>,
  partner: PartnerRow,
  contexts: readonly ProposedContext[],
  roles: readonly RoleSelection[],
): Promise<Association> {
  if (contexts.length === 0) throw new OperationRefused(status.noSubOperations, 'There is nothing to be sent.')
  try {
    const socket = await connect(settings, partner)
    return await requestAssociation(socket, settings.dicomIdleSeconds * 1000, {
      calledTitle: partner.ae_title,
      callingTitle: calledTitle,
      contexts,
      roles,
    })
  } catch (cause) {
    if (cause instanceof AssociationRejected || cause instanceof AssociationOver || cause instanceof ProtocolFault)
      throw new OperationRefused(status.noSubOperations, 'The partner did not accept the association.')
    throw cause
  }
}

/** The name is looked up once, each of its addresses is judged, and the connection goes to one of those. */
async function findAddress({ dicomNetworks }: Settings, host: string): Promise<string> {
  const addresses =
    isIP(host) === 0 ? (await resolveHost(host, false).catch(() => [])).map(({ address }) => address) : [host]
  const [first] = addresses
  if (first === undefined || !addresses.every((address) => isWithin(dicomNetworks, address)))
    throw new OperationRefused(status.noSubOperations, 'The operator does not let the node send to this host.')
  return first
}

async function connect(settings: Settings, partner: PartnerRow): Promise<Socket> {
  const { host, port, uses_tls: usesTls, fingerprint } = partner
  if (host === null || port === null)
    throw new OperationRefused(status.destinationUnknown, 'This partner has no address to send to.')
  const address = await findAddress(settings, host)
  const socket = usesTls ? connectTls(tlsOptions(settings, host, address, port)) : connectPlain(port, address)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (): void => reject(new OperationRefused(status.noSubOperations, 'The partner does not answer.'))
  const timer = setTimeout(() => socket.destroy(new Error('too slow')), dimseLimits.associateMs)
  socket
    .once(usesTls ? 'secureConnect' : 'connect', resolve)
    .once('error', fail)
    .once('close', fail)
  try {
    await promise
    if (usesTls) assertTrusted(socket as TLSSocket, fingerprint)
    return socket
  } catch (cause) {
    socket.destroy()
    throw cause
  } finally {
    clearTimeout(timer)
    socket.off('error', fail).off('close', fail)
  }
}

/** One whose certificate is named is known by that alone; any other by an authority. */
function assertTrusted(socket: TLSSocket, fingerprint: string | null): void {
  const isTrusted =
    fingerprint === null ? socket.authorized : fingerprintOf(socket.getPeerCertificate().raw) === fingerprint
  if (!isTrusted) throw new OperationRefused(status.noSubOperations, 'The certificate of the partner is not trusted.')
}

const tlsOptions = (settings: Settings, host: string, address: string, port: number) => ({
  host: address,
  port,
  ...(isIP(host) === 0 && { servername: host }),
  // Judged by `assertTrusted`, before a byte of the protocol is sent.
  rejectUnauthorized: false,
  minVersion: 'TLSv1.2' as const,
  ...(settings.dicomCertificateFile !== undefined && { cert: readFileSync(settings.dicomCertificateFile) }),
  ...(settings.dicomKeyFile !== undefined && { key: readFileSync(settings.dicomKeyFile) }),
  ...(settings.dicomCaFile !== undefined && { ca: readFileSync(settings.dicomCaFile) }),
})
