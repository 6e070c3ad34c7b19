import { audit } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { addPartner, dial, dicomVariables, listStored, sliceBytes, store, titleOf, until } from './nodeInTests.ts'

let server: TestServer
let admin: SignedIn
let south: SignedIn
let north: string

beforeEach(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  admin = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  north = await titleOf(admin)
})
afterEach(() => server.close())

describe('storing [P51]', () => {
  beforeEach(async () => {
    await addPartner(admin)
  })

  it('answers when the object is there, in the name of the partner', async () => {
    const association = await dial(server, { calledTitle: north })
    expect(await store(association, 1)).toMatchObject({ status: 0, sopInstanceUID: '1.2.3.4.1' })
    expect(await listStored(server, admin)).toEqual(['1.2.3.4.1'])
    expect(await listStored(server, south)).toEqual([])
    expect(await server.heldObjects()).toEqual(['1.2.3.4.1'])
    const { data } = await admin.call(audit.list, { event: 'ScansUploaded' })
    expect(data[0]).toMatchObject({ actor: 'CT in room 3 (DICOM)', address: '127.0.0.1' })
    await association.release()
  })

  it('stores what two associations send at once one time, and answers both', async () => {
    const [first, second] = [await dial(server, { calledTitle: north }), await dial(server, { calledTitle: north })]
    const answers = await Promise.all([store(first, 1), store(second, 1)])
    expect(answers.map(({ status }) => status)).toEqual([0, 0])
    expect(await server.heldObjects()).toEqual(['1.2.3.4.1'])
  })

  it('stores an object of which each byte comes by itself', async () => {
    const association = await dial(server, { calledTitle: north })
    async function* bytes() {
      for (const byte of sliceBytes(1)) yield Buffer.of(byte)
    }
    expect((await store(association, 1, bytes())).status).toBe(0)
  })

  it('keeps nothing of an object that breaks off', async () => {
    const association = await dial(server, { calledTitle: north })
    const bytes = sliceBytes(1)
    async function* half() {
      yield bytes.subarray(0, bytes.length / 2)
      association.abort()
    }
    await expect(store(association, 1, half())).rejects.toThrow('over')
    await until(async () => server.dicomNode.size === 0)
    expect(await listStored(server, admin)).toEqual([])
    const again = await dial(server, { calledTitle: north })
    expect((await store(again, 2)).status).toBe(0)
    expect(await server.heldObjects()).toEqual(['1.2.3.4.2'])
  })

  it.each([
    ['of another number than its command', 0xa900, () => sliceBytes(2)],
    ['of another class', 0xa900, () => sliceBytes(1, { [tag.SOPClassUID]: text('UI', '1.2.840.10008.5.1.4.1.1.4') })],
    ['of no sense', 0xc000, () => Buffer.from('nonsense that is no data set')],
    ['without a study', 0xa900, () => sliceBytes(1, { [tag.StudyInstanceUID]: text('UI', '') })],
  ])('refuses an object %s, and takes the next one', async (_what, status, make) => {
    const association = await dial(server, { calledTitle: north })
    expect((await store(association, 1, make())).status).toBe(status)
    expect((await store(association, 3)).status).toBe(0)
    expect(await server.heldObjects()).toEqual(['1.2.3.4.3'])
  })

  it('says in whole sentences why it refuses, in the 64 characters that there are', async () => {
    const association = await dial(server, { calledTitle: north })
    await store(association, 1)
    const ofAnother = sliceBytes(2, { [tag.PatientID]: text('LO', 'Another') })
    expect(await store(association, 2, ofAnother)).toMatchObject({
      status: 0x0110,
      comment: "This study is stored as another patient's.",
    })
    const short = sliceBytes(3, { [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(2) } })
    expect(await store(association, 3, short)).toMatchObject({
      status: 0xa900,
      comment: 'The pixel data are shorter than rows, columns and frames need.',
    })
  })

  it('refuses another image of the same number, and what is longer than may be stored', async () => {
    await server.close()
    server = await startServer({ ...dicomVariables, DMP_UPLOAD_MAX_MB: '1' })
    await server.app.ready()
    admin = await server.signIn('admin')
    await addPartner(admin)
    const association = await dial(server, { calledTitle: north })
    await store(association, 1)
    const other = sliceBytes(1, { [tag.StudyDescription]: text('LO', 'Another') })
    expect(await store(association, 1, other)).toMatchObject({
      status: 0x0111,
      comment: 'A different image with the same ID is already stored.',
    })
    const long = sliceBytes(2, { [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(2 ** 21) } })
    expect((await store(association, 2, long)).status).toBe(0xa700)
    expect((await store(association, 3)).status).toBe(0)
  })
})
