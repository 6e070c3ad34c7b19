import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import type { Readable } from 'node:stream'
import { audit } from '@dmp/contract'
import { tag, transferSyntax } from '@dmp/dicom'
import { acceptAssociation, commandField, requestAssociation, responseBit, type Association } from '@dmp/dimse'
import { generate } from 'selfsigned'
import { tooManyRequests } from '../../core/errors.ts'
import { items } from '../../dicom/attributes.ts'
import { readDataset } from '../../dicom/readDataset.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { ask, level, readMessage, uid } from './askInTests.ts'
import { fingerprintOf } from './certificates.ts'
import {
  addPartner,
  contextOf,
  ctClass,
  dial,
  dicomVariables,
  echo,
  sliceBytes,
  store,
  studyFind,
  studyGet,
  studyMove,
  titleOf,
  verificationClass,
} from './nodeInTests.ts'

const commitment = '1.2.840.10008.1.20.1'
const explicit = { isExplicit: true, isBigEndian: false }

let server: TestServer
let admin: SignedIn
let north: string
let folder: string
let fingerprint: string
let client: { cert: string; private: string }
const toFingerprint = (pem: string): string =>
  fingerprintOf(Buffer.from(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64')) ?? ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-node-'))
  const own = await generate([{ name: 'commonName', value: 'node' }])
  client = await generate([{ name: 'commonName', value: 'ct' }])
  writeFileSync(join(folder, 'cert.pem'), own.cert)
  writeFileSync(join(folder, 'key.pem'), own.private)
  fingerprint = toFingerprint(client.cert)
  server = await startServer({
    ...dicomVariables,
    DMP_DICOM_TLS_PORT: '0',
    DMP_DICOM_CERTIFICATE_FILE: join(folder, 'cert.pem'),
    DMP_DICOM_KEY_FILE: join(folder, 'key.pem'),
  })
  await server.app.ready()
  admin = await server.signIn('admin')
  const south = await server.signIn('admin@south.example')
  north = await titleOf(admin)
  await addPartner(admin)
  await addPartner(south, { aeTitle: 'SOUTH' })
  const foreign = await dial(server, { calledTitle: await titleOf(south), callingTitle: 'SOUTH' })
  await store(foreign, 7)
  const association = await dial(server, { calledTitle: north })
  await store(association, 1)
  await association.release()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('searching and fetching [P51]', () => {
  it('finds what is of the own organization, with what was asked for', async () => {
    const association = await dial(server, { calledTitle: north, classes: [studyFind] })
    const keys = level('IMAGE', { [tag.SOPInstanceUID]: { vr: 'UI' }, [tag.PatientName]: { vr: 'PN' } })
    const { answers } = await ask(association, commandField.findRequest, studyFind, keys)
    expect(answers.map(({ status }) => status)).toEqual([0xff00, 0])
    expect(answers[0]?.dataset[tag.SOPInstanceUID]?.Value).toEqual(['1.2.3.4.1'])
  })

  it.each([
    ['a level that the root of studies does not have', level('PATIENT'), 0xa900],
    ['a key that is not matched', level('STUDY', { '00700080': { vr: 'CS', Value: ['X'] } }), 0xa900],
  ])('refuses %s', async (_what, keys, status) => {
    const association = await dial(server, { calledTitle: north, classes: [studyFind] })
    const { answers } = await ask(association, commandField.findRequest, studyFind, keys)
    expect(answers.map((answer) => answer.status)).toEqual([status])
  })

  it('takes no search of any length, and no more of them than of DICOMweb [P18, P19]', async () => {
    const association = await dial(server, { calledTitle: north, classes: [studyFind] })
    const keys = level('STUDY', { [tag.PatientName]: { vr: 'UT', Value: ['x'.repeat(300_000)] } })
    await expect(ask(association, commandField.findRequest, studyFind, keys)).rejects.toThrow('aborted')
    const { limits } = server.deps
    const spent = jest.spyOn(limits, 'spend').mockImplementation(async (call) => {
      if (call === 'DICOM operation') throw tooManyRequests(1, 'Too many requests.')
    })
    const again = await dial(server, { calledTitle: north, classes: [studyFind] })
    const { answers } = await ask(again, commandField.findRequest, studyFind, level('STUDY'))
    expect(answers.map(({ status }) => status)).toEqual([0xa700])
    spent.mockRestore()
  })

  it.each([
    ['UIDs', studyGet, commandField.getRequest, {}, uid(tag.StudyInstanceUID, 'x'.repeat(5000)), 0xa900],
    [
      'a title',
      studyMove,
      commandField.moveRequest,
      { moveDestination: 'X'.repeat(5000) },
      uid(tag.StudyInstanceUID, '1.2.3'),
      0xa801,
    ],
  ])('records nothing of what should be %s and is none [P24]', async (_what, sopClass, field, more, keys, status) => {
    const association = await dial(server, { calledTitle: north, classes: [sopClass] })
    const before = (await admin.call(audit.list, {})).total
    const { answers } = await ask(association, field, sopClass, level('STUDY', keys), more)
    expect(answers.map((answer) => answer.status)).toEqual([status])
    expect((await admin.call(audit.list, {})).total).toBe(before)
  })

  it('closes an object whose receiver has left before its first byte [P20]', async () => {
    const roles = [{ abstractSyntax: ctClass, isUser: false, isProvider: true }]
    const association = await dial(server, { calledTitle: north, classes: [studyGet, ctClass], roles })
    const { objects } = server.deps
    const read = objects.read.bind(objects)
    const opened = Promise.withResolvers<Readable>()
    const others = server.dicomNode.size - 1
    jest.spyOn(objects, 'read').mockImplementationOnce(async (key, range) => {
      association.abort()
      while (server.dicomNode.size > others) await new Promise((later) => setTimeout(later, 10))
      const stream = await read(key, range)
      opened.resolve(stream)
      return stream
    })
    const keys = level('STUDY', uid(tag.StudyInstanceUID, '1.2.3'))
    await expect(ask(association, commandField.getRequest, studyGet, keys)).rejects.toThrow('over')
    const stream = await opened.promise
    if (!stream.closed) await once(stream, 'close')
    expect(stream.destroyed).toBe(true)
  })

  it('gives what is of the own organization, and nothing of another one', async () => {
    const roles = [{ abstractSyntax: ctClass, isUser: false, isProvider: true }]
    const association = await dial(server, { calledTitle: north, classes: [studyGet, ctClass], roles })
    const own = await ask(
      association,
      commandField.getRequest,
      studyGet,
      level('STUDY', uid(tag.StudyInstanceUID, '1.2.3')),
    )
    expect([own.stored, own.answers.at(-1)?.status]).toEqual([['1.2.3.4.1'], 0])
    const keys = level('IMAGE', uid(tag.SOPInstanceUID, '1.2.3.4.7'))
    expect((await ask(association, commandField.getRequest, studyGet, keys)).stored).toEqual([])
  })

  it('moves to no title of another organization, nor to a partner without an address', async () => {
    const association = await dial(server, { calledTitle: north, classes: [studyMove] })
    for (const moveDestination of ['SOUTH', 'CT_ROOM3']) {
      const keys = level('STUDY', uid(tag.StudyInstanceUID, '1.2.3'))
      const { answers } = await ask(association, commandField.moveRequest, studyMove, keys, { moveDestination })
      expect(answers.map(({ status }) => status)).toEqual([0xa801])
    }
  })

  it('moves to no network that the operator does not name', async () => {
    await addPartner(admin, { name: 'Far', aeTitle: 'FAR', host: '192.0.2.1', port: 104 })
    const association = await dial(server, { calledTitle: north, classes: [studyMove] })
    const keys = level('STUDY', uid(tag.StudyInstanceUID, '1.2.3'))
    const { answers } = await ask(association, commandField.moveRequest, studyMove, keys, { moveDestination: 'FAR' })
    expect(answers.map(({ status }) => status)).toEqual([0xa702])
  })
})

const reference = (instance: string): JsonDataset => ({
  ...uid(tag.ReferencedSOPClassUID, ctClass),
  ...uid(tag.ReferencedSOPInstanceUID, instance),
})
const requestOf = (...instances: string[]): JsonDataset => ({
  ...uid(tag.TransactionUID, '1.2.99'),
  [tag.ReferencedSOPSequence]: { vr: 'SQ', Value: instances.map(reference) },
})
const action = {
  field: commandField.actionRequest,
  requestedSopClassUID: commitment,
  requestedSopInstanceUID: '1.2.840.10008.1.20.1.1',
  actionType: 1,
}

describe('storage commitment [P51]', () => {
  it('commits to what is stored, and not to what another organization has', async () => {
    const association = await dial(server, { calledTitle: north, classes: [commitment] })
    const context = contextOf(association, commitment)
    const asked = await association.request(
      context,
      action,
      writeDataset(requestOf('1.2.3.4.1', '1.2.3.4.7'), explicit),
    )
    expect(asked.status).toBe(0)
    const report = await association.receive()
    if (!report) throw new Error('No report.')
    expect(report.command).toMatchObject({ field: commandField.eventRequest, eventType: 2 })
    const dataset = await readDataset(await readMessage(report), context.transferSyntax)
    const { messageId: respondedTo } = report.command
    await association.send(context, { field: commandField.eventRequest | responseBit, respondedTo, status: 0 })
    await association.release()
    const instancesOf = (key: string) =>
      items(dataset, key).map((item) => item[tag.ReferencedSOPInstanceUID]?.Value?.[0])
    expect(instancesOf(tag.ReferencedSOPSequence)).toEqual(['1.2.3.4.1'])
    expect(instancesOf(tag.FailedSOPSequence)).toEqual(['1.2.3.4.7'])
  })

  it('reports on a new association when the first one has ended', async () => {
    const reported = Promise.withResolvers<number | undefined>()
    const listener = createServer((socket) => {
      void acceptAssociation(socket, 5000, async ({ roles }) => ({
        choose: () => transferSyntax.explicitLittleEndian,
        roles,
      })).then(async (association) => reported.resolve((await association?.receive())?.command.eventType))
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await addPartner(admin, { name: 'Leaves', aeTitle: 'LEAVES', host: '127.0.0.1', port })
    const association = await dial(server, { calledTitle: north, callingTitle: 'LEAVES', classes: [commitment] })
    const data = writeDataset(requestOf('1.2.3.4.1'), explicit)
    expect((await association.request(contextOf(association, commitment), action, data)).status).toBe(0)
    association.abort()
    expect(await reported.promise).toBe(1)
    listener.close()
  })
})

describe('TLS [P51]', () => {
  const dialTls = async (callingTitle: string, withCertificate: boolean): Promise<Association> => {
    const socket = connectTls({
      port: server.dicomNode.tlsPort ?? 0,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      ...(withCertificate && { cert: client.cert, key: client.private }),
    })
    await once(socket, 'secureConnect')
    const explicitOnly = [transferSyntax.explicitLittleEndian]
    const contexts = [{ id: 1, abstractSyntax: verificationClass, transferSyntaxes: explicitOnly }]
    return requestAssociation(socket, 5000, { calledTitle: north, callingTitle, contexts, roles: [] })
  }

  it('lets a partner in with its certificate, wherever it is, and with no other', async () => {
    await addPartner(admin, { name: 'Sealed', aeTitle: 'SEALED', addresses: [], fingerprint })
    expect((await echo(await dialTls('SEALED', true))).status).toBe(0)
    await expect(dialTls('SEALED', false)).rejects.toThrow('(1, 1, 3)')
    await expect(dial(server, { calledTitle: north, callingTitle: 'SEALED' })).rejects.toThrow('(1, 1, 3)')
  })

  it('sends nothing to a host whose certificate is neither the named one nor of an authority', async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }])
    const heard: string[] = []
    const listener = createTlsServer({ cert, key }, (socket) => {
      // The called title stands in the first bytes of whoever trusts it.
      socket
        .on('error', () => undefined)
        .once('data', (bytes: Buffer) => {
          heard.push(bytes.toString('latin1', 10, 26).trim())
          socket.destroy()
        })
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const there = { host: '127.0.0.1', port: (listener.address() as AddressInfo).port, usesTls: true }
    await addPartner(admin, { name: 'Nobody', aeTitle: 'NOBODY', ...there })
    await addPartner(admin, { name: 'Other', aeTitle: 'OTHER', fingerprint, ...there })
    await addPartner(admin, { name: 'Named', aeTitle: 'NAMED', fingerprint: toFingerprint(cert), ...there })
    const association = await dial(server, { calledTitle: north, classes: [studyMove] })
    const keys = level('STUDY', uid(tag.StudyInstanceUID, '1.2.3'))
    for (const moveDestination of ['NOBODY', 'OTHER', 'NAMED']) {
      const { answers } = await ask(association, commandField.moveRequest, studyMove, keys, { moveDestination })
      expect([moveDestination, answers.map(({ status }) => status)]).toEqual([moveDestination, [0xa702]])
    }
    expect(heard).toEqual(['NAMED'])
    listener.close()
  })
})

it('keeps the file meta information of what arrives: another one would make a second image of the same [P51]', async () => {
  const url = '/dicom-web/studies/1.2.3/series/1.2.3.4/instances/1.2.3.4.1'
  const reply = await server.app.inject({ url, headers: { ...admin.headers, accept: 'application/dicom' } })
  const bytes = reply.rawPayload
  expect(bytes.subarray(-sliceBytes(1).length).equals(sliceBytes(1))).toBe(true)
  expect(fingerprintOf(bytes)).toBe('76DA84C0B4DE8A2D98AA33523F9F20F6D3EE56690657245CE897AED00B7BD63E')
})
