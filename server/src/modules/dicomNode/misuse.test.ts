import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { tag, transferSyntax } from '@dmp/dicom'
import { commandField, dimseLimits, pdu, pduType, requestAssociation } from '@dmp/dimse'
import { generate } from 'selfsigned'
import { tooManyRequests } from '../../core/errors.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { text } from '../../dicom/testing/dicomFile.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { ask, level, uid } from './askInTests.ts'
import {
  addPartner,
  contextOf,
  ctClass,
  dial,
  dicomVariables,
  echo,
  openLine,
  sliceBytes,
  store,
  studyFind,
  titleOf,
  until,
} from './nodeInTests.ts'

const commitment = '1.2.840.10008.1.20.1'

let folder: string
let server: TestServer
let admin: SignedIn
let south: SignedIn
let north: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-node-'))
  const own = await generate([{ name: 'commonName', value: 'node' }])
  writeFileSync(join(folder, 'cert.pem'), own.cert)
  writeFileSync(join(folder, 'key.pem'), own.private)
  server = await startServer({
    ...dicomVariables,
    DMP_DICOM_ASSOCIATIONS: '8',
    DMP_DICOM_TLS_PORT: '0',
    DMP_DICOM_CERTIFICATE_FILE: join(folder, 'cert.pem'),
    DMP_DICOM_KEY_FILE: join(folder, 'key.pem'),
  })
  await server.app.ready()
  admin = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  north = await titleOf(admin)
  await addPartner(admin)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => until(async () => server.dicomNode.size === 0))

const explicit = { isExplicit: true, isBigEndian: false }
const searching = [studyFind] as const

/** An association, and the line that it is on. */
async function dialOn(classes: readonly string[]) {
  const socket = await openLine(server)
  const contexts = classes.map((abstractSyntax, at) => ({
    id: 2 * at + 1,
    abstractSyntax,
    transferSyntaxes: [transferSyntax.explicitLittleEndian],
  }))
  const proposal = { calledTitle: north, callingTitle: 'CT_ROOM3', contexts, roles: [] }
  return { socket, association: await requestAssociation(socket, 60_000, proposal) }
}

describe('what one partner may cost the others [P18, P68]', () => {
  it('takes no PDU of thousands of fragments', async () => {
    const { socket, association } = await dialOn([ctClass])
    const empty = Buffer.from([0, 0, 0, 2, 1, 1])
    socket.write(pdu(pduType.data, ...Array.from({ length: dimseLimits.fragmentsPerPdu + 1 }, () => empty)))
    await expect(association.receive()).rejects.toThrow('aborted')
  })

  it('takes no proposal of thousands of roles', async () => {
    await expect(
      dial(server, {
        calledTitle: north,
        roles: Array.from({ length: 200 }, () => ({ abstractSyntax: ctClass, isUser: true, isProvider: true })),
      }),
    ).rejects.toThrow('aborted')
  })

  it('searches by some keys, not by thousands, and records nothing of what it refuses', async () => {
    const recorded = jest.spyOn(server.deps, 'write')
    const association = await dial(server, { calledTitle: north, classes: searching })
    const key = (at: number, value: string[]): JsonDataset => ({
      [`0009${(0x1000 + at).toString(16).toUpperCase()}`]: { vr: 'SH', ...(value.length > 0 && { Value: value }) },
    })
    const many = Object.assign({}, ...Array.from({ length: 1000 }, (_, at) => key(at, []))) as JsonDataset
    for (const keys of [many, key(1, ['x'])]) {
      const { answers } = await ask(association, commandField.findRequest, studyFind, level('STUDY', keys))
      expect(answers.map(({ status }) => status)).toEqual([0xa900])
    }
    await association.release()
    expect(recorded).not.toHaveBeenCalled()
    recorded.mockRestore()
  })

  it('answers with no row that is longer than its memory of a page', async () => {
    const association = await dial(server, { calledTitle: north, classes: [ctClass, studyFind] })
    const item = { [tag.TextValue]: text('UT', 'x'.repeat(60_000)) }
    const long = sliceBytes(1, { [tag.ContentSequence]: Array.from({ length: 80 }, () => item) })
    expect((await store(association, 1, long)).status).toBe(0)
    expect((await store(association, 2)).status).toBe(0)
    const keys = level('IMAGE', uid(tag.StudyInstanceUID, '1.2.3'))
    const statusesOf = async (more: JsonDataset) =>
      (await ask(association, commandField.findRequest, studyFind, { ...keys, ...more })).answers.map(
        ({ status }) => status,
      )
    expect(await statusesOf({})).toEqual([0xff00, 0xff00, 0])
    expect(await statusesOf({ [tag.ContentSequence]: { vr: 'SQ' } })).toEqual([0xa700])
    await association.release()
  })

  it('asks the store once for an object that a commitment names a hundred times', async () => {
    const association = await dial(server, { calledTitle: north, classes: [commitment] })
    const context = contextOf(association, commitment)
    const item = { ...uid(tag.ReferencedSOPClassUID, ctClass), ...uid(tag.ReferencedSOPInstanceUID, '1.2.3.4.2') }
    const references = Array.from({ length: 100 }, () => item)
    const data = writeDataset(
      { ...uid(tag.TransactionUID, '1.2.99'), [tag.ReferencedSOPSequence]: { vr: 'SQ', Value: references } },
      explicit,
    )
    const looked = jest.spyOn(server.deps.objects, 'holds')
    const spent = jest.spyOn(server.deps.limits, 'spend')
    const asked = await association.request(
      context,
      {
        field: commandField.actionRequest,
        requestedSopClassUID: commitment,
        requestedSopInstanceUID: '1.2.840.10008.1.20.1.1',
        actionType: 1,
      },
      data,
    )
    expect(asked.status).toBe(0)
    expect((await association.receive())?.command).toMatchObject({ eventType: 1 })
    expect(looked).toHaveBeenCalledTimes(1)
    expect(spent).toHaveBeenCalledTimes(11)
    looked.mockRestore()
    spent.mockRestore()
    association.abort()
  })

  it('counts what it answers without a look at anything, and lets whoever asks too much wait', async () => {
    const association = await dial(server, { calledTitle: north })
    const counted = jest.spyOn(server.deps.limits, 'spend').mockRejectedValue(tooManyRequests(1))
    const before = performance.now()
    expect((await echo(association)).status).toBe(0xa700)
    expect(performance.now() - before).toBeGreaterThan(900)
    counted.mockRestore()
    await association.release()
  })
})

describe('who may have the lines of the node [P18, P68]', () => {
  it('leaves as many associations to other organizations as one has, however many partners it names', async () => {
    await addPartner(south, { aeTitle: 'SOUTH' })
    const own = ['MR1', 'MR2', 'MR3']
    for (const aeTitle of own) await addPartner(admin, { name: aeTitle, aeTitle })
    const dialAs = (callingTitle: string) => dial(server, { calledTitle: north, callingTitle })
    const open = [await dialAs('MR1'), await dialAs('MR1'), await dialAs('MR2'), await dialAs('MR2')]
    await expect(dialAs('MR3')).rejects.toThrow('(2, 3, 2)')
    open.push(await dial(server, { calledTitle: await titleOf(south), callingTitle: 'SOUTH' }))
    for (const association of open) association.abort()
  })

  const silent = async (port: number | undefined, localAddress: string): Promise<Socket> => {
    const socket = connect({ port: port ?? 0, host: '127.0.0.1', localAddress }).on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }

  it('closes the oldest line on which nobody says who it is when a new one comes', async () => {
    const lines: Socket[] = []
    for (let number = 0; number < 16; number += 1)
      lines.push(await silent(server.dicomNode.port, `127.0.0.${10 + Math.floor(number / 2)}`))
    await until(async () => server.dicomNode.size === 16)
    const [oldest] = lines
    const closed = oldest && once(oldest, 'close')
    await (await dial(server, { calledTitle: north })).release()
    await closed
    for (const line of lines) line.destroy()
  })

  it('counts connections that wait for a certificate, and forgets those that left', async () => {
    const port = server.dicomNode.tlsPort
    const lines = [await silent(port, '127.0.0.1'), await silent(port, '127.0.0.1')]
    const more = await silent(port, '127.0.0.1')
    if (!more.closed) await once(more, 'close')
    for (const line of lines) line.destroy()
    await until(async () => {
      const socket = connectTls({ port: port ?? 0, host: '127.0.0.1', rejectUnauthorized: false })
      const isOpen = await new Promise<boolean>((resolve) =>
        socket.once('secureConnect', () => resolve(true)).once('error', () => resolve(false)),
      )
      socket.destroy()
      return isOpen
    })
  })
})
