import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { dicomPartner } from '@dmp/contract'
import type { DicomPartner, DicomPartnerDraft } from '@dmp/contract/dicomPartner'
import { tag, transferSyntax } from '@dmp/dicom'
import {
  commandField,
  requestAssociation,
  type Association,
  type Command,
  type Context,
  type ProposedContext,
  type RoleSelection,
} from '@dmp/dimse'
import { datasetBytes, slice, text, type Elements } from '../../dicom/testing/dicomFile.ts'
import { demoPassword } from '../account/demoAccounts.ts'
import type { SignedIn, TestServer } from '../../testing/server.ts'

export const ctClass = '1.2.840.10008.5.1.4.1.1.2'
export const verificationClass = '1.2.840.10008.1.1'
export const studyFind = '1.2.840.10008.5.1.4.1.2.2.1'
export const studyMove = '1.2.840.10008.5.1.4.1.2.2.2'
export const studyGet = '1.2.840.10008.5.1.4.1.2.2.3'

export const dicomVariables = { DMP_DICOM_PORT: '0', DMP_DICOM_NETWORKS: '127.0.0.0/8' }

/** A partner that may do everything from this machine, unless the draft says otherwise. */
export const aDraft = (more: Partial<DicomPartnerDraft> = {}): DicomPartnerDraft => ({
  name: 'CT in room 3',
  aeTitle: 'CT_ROOM3',
  services: ['Store', 'Query', 'Retrieve'],
  addresses: ['127.0.0.1'],
  fingerprint: null,
  host: null,
  port: null,
  usesTls: false,
  password: demoPassword,
  ...more,
})

export async function addPartner(who: SignedIn, more: Partial<DicomPartnerDraft> = {}): Promise<DicomPartner> {
  const reply = await who.call(dicomPartner.add, aDraft(more))
  if (reply.status !== 200) throw new Error(`The partner was not added: ${reply.message}`)
  return reply.data
}

export const titleOf = async (who: SignedIn): Promise<string> => (await who.call(dicomPartner.getNode, {})).data.aeTitle

export async function openLine(server: TestServer): Promise<Socket> {
  const socket = connect(server.dicomNode.port ?? 0, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

export interface Dialling {
  readonly calledTitle: string
  readonly callingTitle?: string
  /** SOP classes, each in explicit little endian, or in the transfer syntaxes that are named. */
  readonly classes?: readonly (string | readonly [string, ...string[]])[]
  readonly roles?: readonly RoleSelection[]
}

/** An association of a partner; throws where it is rejected. */
export async function dial(
  server: TestServer,
  { calledTitle, callingTitle = 'CT_ROOM3', classes = [verificationClass, ctClass], roles = [] }: Dialling,
): Promise<Association> {
  const contexts = classes.map((each, at): ProposedContext => {
    const [abstractSyntax = '', ...transferSyntaxes] = typeof each === 'string' ? [each] : each
    const plain = [transferSyntax.explicitLittleEndian]
    return { id: 2 * at + 1, abstractSyntax, transferSyntaxes: transferSyntaxes.length > 0 ? transferSyntaxes : plain }
  })
  return requestAssociation(await openLine(server), 60_000, { calledTitle, callingTitle, contexts, roles })
}

export function contextOf(association: Association, abstractSyntax: string): Context {
  const context = [...association.contexts.values()].find((each) => each.abstractSyntax === abstractSyntax)
  if (!context) throw new Error('The context was not accepted.')
  return context
}

export const echo = (association: Association): Promise<Command> =>
  association.request(contextOf(association, verificationClass), {
    field: commandField.echoRequest,
    sopClassUID: verificationClass,
  })

/** A slice as a data set; the number makes its SOP instance UID. */
export const sliceBytes = (number: number, changes: Elements = {}): Buffer =>
  datasetBytes(slice({ [tag.SOPInstanceUID]: text('UI', `1.2.3.4.${number}`), ...changes }))

export const store = (
  association: Association,
  number: number,
  data: Buffer | AsyncIterable<Uint8Array> = sliceBytes(number),
): Promise<Command> =>
  association.request(
    contextOf(association, ctClass),
    { field: commandField.storeRequest, sopClassUID: ctClass, sopInstanceUID: `1.2.3.4.${number}`, priority: 0 },
    data,
  )

/** SOP instance UIDs that the person finds. */
export async function listStored(server: TestServer, who: SignedIn): Promise<string[]> {
  const reply = await server.app.inject({ url: '/dicom-web/instances', headers: who.headers })
  return reply
    .json<Record<string, { Value?: string[] }>[]>()
    .map((row) => row[tag.SOPInstanceUID]?.Value?.[0] ?? '')
    .toSorted()
}

/** Everything that comes until the line closes. */
export async function readAll(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  if (!socket.closed) await once(socket, 'close')
  return Buffer.concat(pieces)
}

export const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((later) => setTimeout(later, 20))
}
