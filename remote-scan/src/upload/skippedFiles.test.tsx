import { addData, renderScreen } from '@dmp/kit/testing'
import { act, screen, within } from '@testing-library/react'
import { App } from '../App.tsx'
import { storeBatch } from './storeBatch.ts'
import type { UploadOutcome } from './uploadOutcome.ts'
import { uploadQueue } from './uploadQueue.ts'

jest.mock('./storeBatch.ts', () => ({ storeBatch: jest.fn() }))
const send = jest.mocked(storeBatch)
const noImage: UploadOutcome = { kind: 'refused', reason: 'This is not a DICOM file.', isNoImage: true }

async function upload(...names: string[]) {
  const { user } = renderScreen(<App notFound={null} />, { at: '/scan/upload', as: 'staff' })
  addData(['This is not a DICOM file.', 'folder'])
  await user.upload(
    await screen.findByLabelText('Files'),
    names.map((name) => new File(['x'], name)),
  )
}
const bar = () => screen.getByRole('progressbar', { name: 'Upload' })

afterEach(() => {
  act(() => uploadQueue.clear())
  send.mockReset()
})

it('a text beside images is skipped, and the upload as green as without it', async () => {
  send.mockResolvedValue([{ kind: 'stored', seriesUID: '1.2' }, noImage])
  await upload('a.dcm', 'notes.txt')
  expect(await screen.findByText('1 file that is no image was skipped.')).toBeVisible()
  expect(bar()).toHaveAttribute('data-status', 'success')
  expect(within(screen.getByRole('region', { name: 'Notifications' })).getByText('Upload finished')).toBeVisible()
})

it('where nothing but a text was chosen, nothing failed and nothing is said to have succeeded', async () => {
  send.mockResolvedValue([noImage])
  await upload('notes.txt')
  expect(await screen.findByText('Nothing was uploaded: there was no image among the files')).toBeVisible()
  expect(bar()).toHaveAttribute('data-status', 'normal')
})

it('a document that somebody may have meant to send is refused, not skipped', async () => {
  send.mockResolvedValue([noImage])
  await upload('report.pdf')
  expect(await screen.findByText('Upload finished, 1 of 1 files refused')).toBeVisible()
  expect(bar()).toHaveAttribute('data-status', 'exception')
})

it('a part of a zip that cannot be read is refused by itself, and what is beside it is stored', async () => {
  send.mockResolvedValue([
    { kind: 'stored', seriesUID: '1.2' },
    { kind: 'stored', seriesUID: '1.3' },
  ])
  renderScreen(<App notFound={null} />, { at: '/scan/upload', as: 'staff' })
  addData(['disc.zip disc.zip/2.dcm', 'This zip is damaged.'])
  await screen.findByText(/Drop DICOM files/)
  const part = (name: string, open: () => Promise<Blob>) => ({ path: `disc.zip/${name}`, size: 1, open })
  const whole = () => Promise.resolve(new Blob(['x']))
  act(() =>
    uploadQueue.add('o', [
      part('1.dcm', whole),
      part('2.dcm', () => Promise.reject(new Error('This zip is damaged.'))),
      part('3.dcm', whole),
    ]),
  )
  expect(await screen.findByText('Upload finished, 1 of 3 files refused')).toBeVisible()
  const refused = within(screen.getByRole('table', { name: 'Refused files' }))
  expect(refused.getAllByRole('row')[1]).toHaveTextContent('disc.zip/2.dcmThis zip is damaged.')
  const links = within(screen.getByRole('table', { name: 'Series' })).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/scan/detail/o/1.2', '/scan/detail/o/1.3'])
})

it('a file that is gone since it was chosen is refused by itself, and not waited for as for a lost line', async () => {
  send.mockResolvedValue([{ kind: 'stored', seriesUID: '1.2' }])
  renderScreen(<App notFound={null} />, { at: '/scan/upload', as: 'staff' })
  addData(['disc/1.dcm'])
  await screen.findByText(/Drop DICOM files/)
  const gone = () => new ReadableStream({ start: (reading) => reading.error(new DOMException('', 'NotFoundError')) })
  const onDisc = Object.assign(new File(['x'], '1.dcm'), { slice: gone })
  const file = (path: string, blob: Blob) => ({ path, size: 1, open: () => Promise.resolve(blob) })
  // The same one twice, as from a folder that was chosen twice.
  act(() =>
    uploadQueue.add('o', [file('disc/1.dcm', onDisc), file('disc/1.dcm', onDisc), file('2.dcm', new Blob(['x']))]),
  )
  expect(await screen.findByText('Upload finished, 2 of 3 files refused')).toBeVisible()
  expect(send.mock.calls.map(([, files]) => files.length)).toEqual([1])
  const refused = within(screen.getByRole('table', { name: 'Refused files' }))
    .getAllByRole('row')
    .slice(1)
  expect(refused.map(({ textContent }) => textContent)).toEqual(
    Array(2).fill('disc/1.dcmThis file is no longer there, or has changed since it was chosen. Choose it again.'),
  )
})

it('a zip of which nothing can be read sends nothing', async () => {
  renderScreen(<App notFound={null} />, { at: '/scan/upload', as: 'staff' })
  addData(['disc.zip/1.dcm', 'disc.zip'])
  await screen.findByText(/Drop DICOM files/)
  // What a stream gives as its reason need not be an error.
  act(() => uploadQueue.add('o', [{ path: 'disc.zip/1.dcm', size: 9_000_000, open: () => Promise.reject('torn') }]))
  expect(await screen.findByText('This file could not be read.')).toBeVisible()
  expect(send).not.toHaveBeenCalled()
})
