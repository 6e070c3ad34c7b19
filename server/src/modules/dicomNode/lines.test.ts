import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { tag, transferSyntax } from '@dmp/dicom'
import { commandField, requestAssociation, type Association } from '@dmp/dimse'
import { sql } from 'kysely'
import { generate } from 'selfsigned'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { ask, level, uid } from './askInTests.ts'
import {
  addPartner,
  dial,
  dicomVariables,
  echo,
  sliceBytes,
  store,
  studyMove,
  titleOf,
  verificationClass,
} from './nodeInTests.ts'

let server: TestServer
let admin: SignedIn
let north: string
async function start(variables: Record<string, string> = {}): Promise<void> {
  server = await startServer({ ...dicomVariables, ...variables })
  await server.app.ready()
  admin = await server.signIn('admin')
  north = await titleOf(admin)
  await addPartner(admin)
}
let ended: Promise<void> | undefined
const close = () => (ended ??= server.close())
afterEach(async () => {
  await close()
  ended = undefined
})

describe('a line of the node [P51]', () => {
  it('that stores something when the server stops has its answer first; who waits is told at once [P20]', async () => {
    await start()
    const [idle, busy] = [await dial(server, { calledTitle: north }), await dial(server, { calledTitle: north })]
    const { promise: stopping, resolve: stop } = Promise.withResolvers<void>()
    const bytes = sliceBytes(1)
    async function* slowly() {
      yield bytes.subarray(0, 100)
      await stopping
      yield bytes.subarray(100)
    }
    const answered = store(busy, 1, slowly())
    // The node has its beginning.
    await echo(idle)
    const closed = close()
    await expect(idle.receive()).rejects.toThrow('aborted')
    stop()
    expect((await answered).status).toBe(0)
    await expect(busy.receive()).rejects.toThrow('aborted')
    await closed
  })

  it('is judged anew after news that may have been missed', async () => {
    await start()
    const association = await dial(server, { calledTitle: north })
    server.deps.bus.publish({ kind: 'missed' })
    expect((await echo(association)).status).toBe(0)
    await sql`update dicom_partners set disabled_date = now()`.execute(server.deps.db)
    server.deps.bus.publish({ kind: 'missed' })
    await expect(association.receive()).rejects.toThrow('aborted')
  })

  it('is none beyond those of all, though an organization has none yet', async () => {
    await start()
    Object.assign(server.deps.settings, { dicomAssociations: 1 })
    const south = await server.signIn('admin@south.example')
    await addPartner(south, { aeTitle: 'SOUTH' })
    const calls = { calledTitle: await titleOf(south), callingTitle: 'SOUTH' }
    const association = await dial(server, { calledTitle: north })
    await expect(dial(server, calls)).rejects.toThrow('(2, 3, 2)')
    await association.release()
  })
})

describe('an authority of certificates [P51]', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dmp-node-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const certificate = (name: string) =>
    generate([{ name: 'commonName', value: name }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    })
  type Certificate = Awaited<ReturnType<typeof certificate>>

  async function dialTls({ cert, private: key }: Certificate): Promise<Association> {
    const port = server.dicomNode.tlsPort ?? 0
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, cert, key })
    await once(socket, 'secureConnect')
    const transferSyntaxes = [transferSyntax.explicitLittleEndian]
    const contexts = [{ id: 1, abstractSyntax: verificationClass, transferSyntaxes }]
    return requestAssociation(socket, 5000, { calledTitle: north, callingTitle: 'CT_ROOM3', contexts, roles: [] })
  }

  /** Whether the node says a word to a partner that shows this certificate. */
  async function hears(aeTitle: string, { cert, private: key }: Certificate): Promise<boolean> {
    let isHeard = false
    const listener = createTlsServer({ cert, key }, (socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          isHeard = true
          socket.destroy()
        })
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    await addPartner(admin, { name: aeTitle, aeTitle, host: '127.0.0.1', port, usesTls: true })
    const association = await dial(server, { calledTitle: north, classes: [studyMove] })
    const keys = level('STUDY', uid(tag.StudyInstanceUID, '1.2.3'))
    await ask(association, commandField.moveRequest, studyMove, keys, { moveDestination: aeTitle })
    await association.release()
    listener.close()
    return isHeard
  }

  it('lets its partners in and no others, and the node speaks to its partners alone', async () => {
    const [own, known, stranger] = [await certificate('node'), await certificate('ct'), await certificate('other')]
    const files = { 'cert.pem': own.cert, 'key.pem': own.private, 'ca.pem': known.cert }
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    await start({
      DMP_DICOM_TLS_PORT: '0',
      DMP_DICOM_CERTIFICATE_FILE: join(folder, 'cert.pem'),
      DMP_DICOM_KEY_FILE: join(folder, 'key.pem'),
      DMP_DICOM_CA_FILE: join(folder, 'ca.pem'),
    })
    expect((await echo(await dialTls(known))).status).toBe(0)
    await expect(dialTls(stranger)).rejects.toThrow()
    const association = await dial(server, { calledTitle: north })
    expect((await store(association, 1)).status).toBe(0)
    await association.release()
    expect([await hears('KNOWN', known), await hears('STRANGER', stranger)]).toEqual([true, false])
  })
})
