import { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { dicomFile, slice, text, type Elements } from '../../../dicom/testing/dicomFile.ts'
import { ReadingTooCostly } from '../../../dicom/objectReader.ts'
import { DicomRefusal } from '../../../dicom/refusal.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let [admin, staff]: SignedIn[] = []
let nextUid = 1
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

it('an image that a program wrote in another form is there already: VRs, byte order, group lengths, padding [P20, P32]', async () => {
  const parts = (changes: Elements = {}, isBigEndian = false): Elements =>
    slice(
      {
        [tag.SOPInstanceUID]: text('UI', '1.77.1.1'),
        [tag.StudyInstanceUID]: text('UI', '1.77'),
        [tag.SeriesInstanceUID]: text('UI', '1.77.1'),
        ...changes,
      },
      isBigEndian,
    )
  const send = async (file: Buffer) => {
    const { statusCode } = await stow(server, staff!, [file])
    return statusCode
  }
  expect(await send(dicomFile({ elements: parts() }))).toBe(200)
  const padded = parts({
    '00080000': { vr: 'UL', value: Buffer.alloc(4) },
    FFFCFFFC: { vr: 'OB', value: Buffer.alloc(64) },
  })
  for (const again of [
    dicomFile({ elements: parts(), transferSyntaxUID: '1.2.840.10008.1.2' }),
    dicomFile({ elements: parts({}, true), transferSyntaxUID: '1.2.840.10008.1.2.2' }),
    dicomFile({ elements: padded }),
  ])
    expect(await send(again)).toBe(200)
  expect((await admin!.call(scan.listConflicts, {})).data).toEqual([])
  const other = dicomFile({
    elements: parts({ [tag.PatientID]: text('LO', 'T-9') }),
    transferSyntaxUID: '1.2.840.10008.1.2',
  })
  expect(await send(other)).toBe(409)
  expect((await admin!.call(scan.listConflicts, {})).data).toMatchObject([{ kind: 'OtherContent' }])
})

it.each([
  ['takes too long to read', () => new ReadingTooCostly('time')],
  ['cannot be read', () => new DicomRefusal('UNREADABLE', 'The content of the file cannot be read.')],
  ['is not in the store any more', () => new ObjectStoreError('MISSING')],
])(
  'an image is another one where what is stored %s: it is refused and found, and nothing is replaced',
  async (_what, cause) => {
    const uid = `1.78.${nextUid++}`
    const elements = slice({
      [tag.SOPInstanceUID]: text('UI', `${uid}.1.1`),
      [tag.StudyInstanceUID]: text('UI', uid),
      [tag.SeriesInstanceUID]: text('UI', `${uid}.1`),
    })
    expect((await stow(server, staff!, [dicomFile({ elements })])).statusCode).toBe(200)
    const read = jest.spyOn(server.deps.reader, 'runStored').mockImplementation(() => Promise.reject(cause()))
    const again = await stow(server, staff!, [dicomFile({ elements, transferSyntaxUID: '1.2.840.10008.1.2' })])
    read.mockRestore()
    expect(again.statusCode).toBe(409)
    const { data } = await admin!.call(scan.listConflicts, { search: uid })
    expect(data).toMatchObject([{ kind: 'OtherContent' }])
  },
)
