import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import {
  connect as connectTls,
  createServer as createTlsServer,
  type ConnectionOptions,
  type TlsOptions,
} from 'node:tls'
import { tag, transferSyntax, writeStoreResponse } from '@dmp/dicom'
import {
  acceptAssociation,
  AssociationOver,
  answerStatus,
  commandField,
  readCommitmentReport,
  requestAssociation,
  status,
  storageCommitment,
  storageCommitmentInstance,
  verification,
  type Association,
  type CommitmentReport,
  type Context,
} from '@dmp/dimse'
import { elementBytes, itemBytes, textValue } from '@dmp/dimse/elementWriter'

/** A device that only speaks DICOM, as tests play it. */

export const ctClass = '1.2.840.10008.5.1.4.1.1.2'
const encoding = { isExplicit: true, isBigEndian: false }
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

/** A slice of 16 × 16 pixels; the number makes its SOP instance UID. */
export function sliceBytes(at: number, study = '1.2.77'): Buffer {
  const texts: [string, string, string][] = [
    [tag.SOPClassUID, 'UI', ctClass],
    [tag.SOPInstanceUID, 'UI', `1.2.77.1.${at}`],
    [tag.StudyDate, 'DA', '20260101'],
    [tag.Modality, 'CS', 'CT'],
    [tag.PatientName, 'PN', 'Gateway^Test'],
    [tag.PatientID, 'LO', 'GW-1'],
    [tag.StudyInstanceUID, 'UI', study],
    [tag.SeriesInstanceUID, 'UI', `${study}.1`],
    [tag.InstanceNumber, 'IS', String(at)],
  ]
  const numbers: [string, number][] = [
    [tag.SamplesPerPixel, 1],
    [tag.Rows, 16],
    [tag.Columns, 16],
    [tag.BitsAllocated, 16],
    [tag.BitsStored, 16],
    [tag.HighBit, 15],
    [tag.PixelRepresentation, 0],
  ]
  const elements: [string, Buffer][] = [
    ...texts.map(([key, vr, value]): [string, Buffer] => [key, elementBytes(key, textValue(vr, value), encoding)]),
    [
      tag.PhotometricInterpretation,
      elementBytes(tag.PhotometricInterpretation, textValue('CS', 'MONOCHROME2'), encoding),
    ],
    ...numbers.map(([key, value]): [string, Buffer] => [
      key,
      elementBytes(key, { vr: 'US', value: number(value) }, encoding),
    ]),
    [tag.PixelData, elementBytes(tag.PixelData, { vr: 'OW', value: Buffer.alloc(512, at % 251) }, encoding)],
  ]
  return Buffer.concat(elements.toSorted(([a], [b]) => a.localeCompare(b)).map(([, bytes]) => bytes))
}

/** With TLS where its options are given. */
export async function dial(
  port: number,
  callingTitle = 'CT_ROOM3',
  calledTitle = 'DMP_GATEWAY',
  tls?: ConnectionOptions,
): Promise<Association> {
  const there = { port, host: '127.0.0.1' }
  const socket = tls ? connectTls({ ...there, ...tls }) : connect(there)
  await once(socket, tls ? 'secureConnect' : 'connect')
  const contexts = [verification, ctClass, storageCommitment].map((abstractSyntax, at) => ({
    id: 2 * at + 1,
    abstractSyntax,
    transferSyntaxes: [transferSyntax.explicitLittleEndian],
  }))
  return requestAssociation(socket, 30_000, { calledTitle, callingTitle, contexts, roles: [] })
}

function contextOf(association: Association, abstractSyntax: string): Context {
  const context = [...association.contexts.values()].find((each) => each.abstractSyntax === abstractSyntax)
  if (!context) throw new Error('The context was not accepted.')
  return context
}

/** Returns the status of the answer. */
export async function store(association: Association, at: number, data = sliceBytes(at)): Promise<number | undefined> {
  const command = { field: commandField.storeRequest, sopClassUID: ctClass, sopInstanceUID: `1.2.77.1.${at}` }
  return (await association.request(contextOf(association, ctClass), { ...command, priority: 0 }, data)).status
}

export async function echo(association: Association): Promise<number | undefined> {
  const command = { field: commandField.echoRequest, sopClassUID: verification }
  return (await association.request(contextOf(association, verification), command)).status
}

/** Asks for the commitment to slices. Returns the status of the answer; the report follows. */
export async function askCommitment(
  association: Association,
  transactionUID: string,
  slices: readonly number[],
): Promise<number | undefined> {
  const uid = (key: string, value: string): Buffer => elementBytes(key, textValue('UI', value), encoding)
  const items = slices.map((at) =>
    itemBytes(
      Buffer.concat([uid(tag.ReferencedSOPClassUID, ctClass), uid(tag.ReferencedSOPInstanceUID, `1.2.77.1.${at}`)]),
      false,
    ),
  )
  const identifier = Buffer.concat([
    uid(tag.TransactionUID, transactionUID),
    elementBytes(tag.ReferencedSOPSequence, { vr: 'SQ', value: Buffer.concat(items) }, encoding),
  ])
  const command = {
    field: commandField.actionRequest,
    requestedSopClassUID: storageCommitment,
    requestedSopInstanceUID: storageCommitmentInstance,
    actionType: 1,
  }
  return (await association.request(contextOf(association, storageCommitment), command, identifier)).status
}

/** The report on the same association, which is answered. */
export async function readReport(association: Association): Promise<CommitmentReport> {
  const message = await association.receive()
  if (message?.command.field !== commandField.eventRequest) throw new Error('This is no report.')
  const report = await readCommitmentReport(message)
  await answerStatus(association, message, status.success)
  return report
}

/** A port of the device on which it hears reports; with TLS where its options are given. */
export async function openReports(tls?: TlsOptions): Promise<{
  port: number
  next: () => Promise<CommitmentReport>
  close: () => void
}> {
  const reports: CommitmentReport[] = []
  let wake: () => void = () => undefined
  const onLine = (socket: Socket): void => {
    void acceptAssociation(socket, 10_000, ({ roles }) =>
      Promise.resolve({ choose: () => transferSyntax.explicitLittleEndian, roles }),
    )
      .then(async (association) => {
        if (!association) return
        reports.push(await readReport(association))
        wake()
        await association.receive()
      })
      .catch((cause: unknown) => {
        // Whoever reports may be killed in the middle of it.
        if (!(cause instanceof AssociationOver)) throw cause
      })
  }
  const server = tls ? createTlsServer(tls, onLine) : createServer(onLine)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    next: async () => {
      while (reports.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      return reports.shift()!
    },
    close: () => server.close(),
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

/** A server that stores what comes by STOW-RS, and counts it, behind a line that can be cut. */
export async function openReceiver(): Promise<{
  address: string
  stored: ReadonlyMap<string, number>
  cut: (isCut: boolean) => void
  close: () => void
}> {
  const stored = new Map<string, number>()
  let isDown = false
  const server = createHttpServer((request, response) => {
    void readBody(request).then((body) => {
      if (isDown) return response.destroy()
      const objects = request.method === 'POST' ? body.toString('latin1').split('DICM').slice(1) : []
      if (objects.length === 0) return response.writeHead(request.method === 'POST' ? 400 : 404).end('{}')
      const outcomes = objects.map((object, index) => {
        const [sopInstanceUID = ''] = /1\.2\.77\.1\.\d+/.exec(object) ?? []
        const times = (stored.get(sopInstanceUID) ?? 0) + 1
        stored.set(sopInstanceUID, times)
        const identity = { sopClassUID: ctClass, sopInstanceUID, studyUID: '1.2.77', seriesUID: '1.2.77.1' }
        return {
          part: index + 1,
          outcome: { kind: times === 1 ? ('stored' as const) : ('duplicate' as const), ...identity },
        }
      })
      response.writeHead(200, { 'content-type': 'application/dicom+json' })
      response.end(JSON.stringify(writeStoreResponse(outcomes)))
    })
  })
  server.on('connection', (socket) => {
    socket.on('error', () => undefined)
    if (isDown) socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored,
    cut: (isCut) => {
      isDown = isCut
      if (isCut) server.closeAllConnections()
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  } catch {
    // The uploader was killed in the middle: nothing of it counts.
    return Buffer.alloc(0)
  }
  return Buffer.concat(pieces)
}
