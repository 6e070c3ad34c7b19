import { addData, renderScreen } from '@dmp/kit/testing'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { App } from '../App.tsx'
import { storeBatch } from './storeBatch.ts'
import { uploadQueue } from './uploadQueue.ts'

jest.mock('./storeBatch.ts', () => ({ storeBatch: jest.fn() }))
const send = jest.mocked(storeBatch)

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text.length % 2 ? `${text}\0` : text)
const element = (group: number, number: number, vr: string, text: string): number[] => {
  const value = bytesOf(text)
  return [group & 255, group >> 8, number & 255, number >> 8, ...bytesOf(vr), value.length, 0, ...value]
}
/** An image of a patient, as far as its header. */
const aDicom = (patient: string, uid: string): Uint8Array =>
  new Uint8Array([
    ...new Uint8Array(128),
    ...bytesOf('DICM'),
    ...element(0x0002, 0x0010, 'UI', '1.2.840.10008.1.2.1'),
    ...element(0x0008, 0x0020, 'DA', '20260504'),
    ...element(0x0008, 0x1030, 'LO', 'Knee'),
    ...element(0x0008, 0x103e, 'LO', 'Thin slices'),
    ...element(0x0010, 0x0010, 'PN', patient),
    ...element(0x0020, 0x000e, 'UI', uid),
  ])

async function aZip(files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, bytes] of Object.entries(files)) await writer.add(name, new Uint8ArrayReader(bytes))
  return writer.close()
}

/** jsdom's own files cannot be read; the platform's blobs can. */
const named = async (name: string, bytes: Uint8Array): Promise<Blob> =>
  Object.assign(await new Response(new Uint8Array(bytes)).blob(), { name, webkitRelativePath: '' })

async function choose(files: Readonly<Record<string, Uint8Array>>) {
  renderScreen(<App notFound={null} />, { at: '/scan/upload', as: 'staff' })
  addData([
    'good.zip/export, two.zip/export, two.zip/export/0.dcm, Cole, Ben',
    'Knee · Thin slices',
    ...Object.keys(files),
  ])
  const chosen = await Promise.all(Object.entries(files).map(([name, bytes]) => named(name, bytes)))
  fireEvent.change(await screen.findByLabelText('Files'), { target: { files: chosen } })
}
const rowsOf = (table: string): (string | null)[] =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent)

beforeEach(() =>
  send.mockImplementation((_organization, files) =>
    Promise.resolve(files.map((_, at) => ({ kind: 'stored', seriesUID: `1.2.${at}` }))),
  ),
)
afterEach(() => {
  act(() => uploadQueue.clear())
  send.mockReset()
})

it('a damaged zip is refused by name, and what was chosen with it is stored', async () => {
  const zip = await aZip({ 'export/1.dcm': aDicom('Berg^Ada', '1.2.3') })
  await choose({ 'a.dcm': aDicom('Cole^Ben', '1.2.4'), 'good.zip': zip, 'torn.zip': zip.slice(0, 90) })
  expect(await screen.findByText('Upload finished, 1 of 3 files refused')).toBeVisible()
  expect(send.mock.calls.map(([, files]) => files.length)).toEqual([2])
  expect(rowsOf('Refused files')).toEqual([
    'torn.zipThis zip is damaged or in an unsupported format. Unpack it, then choose the folder.',
  ])
})

it('an empty file is refused by name and reason, out of a zip, too, and skipped where none was to be stored', async () => {
  const nothing = new Uint8Array()
  const zip = await aZip({ 'export/0.dcm': nothing, 'export/1.dcm': aDicom('Berg^Ada', '1.2.3') })
  await choose({ 'a.dcm': nothing, 'two.zip': zip, 'notes.txt': nothing, '.DS_Store': nothing })
  expect(await screen.findByText('Upload finished, 2 of 4 files refused')).toBeVisible()
  expect(rowsOf('Refused files')).toEqual(['a.dcmThis file is empty.', 'two.zip/export/0.dcmThis file is empty.'])
  expect(screen.getByText('1 file that is no image was skipped.')).toBeVisible()
  expect(send.mock.calls.map(([, files]) => files.length)).toEqual([1])
})

it('a zip says whose images it holds, each series in a line of its own', async () => {
  await choose({
    'two.zip': await aZip({
      'export/1.dcm': aDicom('Berg^Ada', '1.2.3'),
      'export/2.dcm': aDicom('Cole^Ben', '1.2.4'),
      'export/3.dcm': aDicom('Berg^Ada', '1.2.3'),
    }),
  })
  expect(await screen.findByRole('heading', { name: 'Upload finished' })).toBeVisible()
  const [first, second, ...others] = rowsOf('Series')
  expect(first).toMatch(/^Berg, AdaKnee · 2026-05-04Thin slices2 of 2/)
  expect(second).toMatch(/^Cole, BenKnee · 2026-05-04Thin slices1 of 1/)
  expect(others).toEqual([])
})
