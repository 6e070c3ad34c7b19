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

afterEach(() => act(() => uploadQueue.clear()))

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
