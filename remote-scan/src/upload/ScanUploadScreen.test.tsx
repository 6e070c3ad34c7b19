import { account, organization } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { CallError, session } from '@dmp/kit'
import { addData, answer, renderScreen } from '@dmp/kit/testing'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'
import { storeBatch } from './storeBatch.ts'
import { storeResumable } from './storeResumable.ts'
import type { UploadOutcome } from './uploadOutcome.ts'
import { uploadQueue } from './uploadQueue.ts'

jest.mock('./storeBatch.ts', () => ({ storeBatch: jest.fn() }))
jest.mock('./storeResumable.ts', () => ({ storeResumable: jest.fn() }))
const send = jest.mocked(storeBatch)
const sendLarge = jest.mocked(storeResumable)

const aFile = (name: string, size = 4) => new File(['x'.repeat(size)], name)
const draw = (as: 'staff' | 'admin' = 'staff') => {
  const drawn = renderScreen(<App notFound={null} />, { at: '/scan/upload', as })
  // What the server says, and the name of a folder.
  addData([
    'This is not a DICOM file. This file is too large. This is a DICOMDIR index, not an image.',
    'The server cannot be reached right now. This organization has no datastore yet. Not now.',
    'folder',
  ])
  return drawn
}
const stored: UploadOutcome = { kind: 'stored', seriesUID: '1.2' }

async function choose(user: ReturnType<typeof draw>['user'], ...files: File[]) {
  await user.upload(await screen.findByLabelText('Files'), files)
}

afterEach(() => {
  act(() => uploadQueue.clear())
  send.mockReset()
  sendLarge.mockReset()
})

describe('upload in the page', () => {
  it('sends what was chosen into the own organization and sums up what became of it [1.07]', async () => {
    send.mockResolvedValue([
      stored,
      { kind: 'duplicate', seriesUID: '1.2' },
      { kind: 'refused', reason: 'This is not a DICOM file.' },
    ])
    const { user } = draw()
    await choose(user, aFile('a.dcm'), aFile('b.dcm'), aFile('notes.txt'))
    expect(await screen.findByRole('heading', { name: 'Upload finished' })).toBeVisible()
    expect(send.mock.calls[0]?.[1]).toHaveLength(3)
    const series = within(screen.getByRole('table', { name: 'Series' }))
    expect(series.getByText('2 of 2')).toBeVisible()
    expect(series.getByText('1 of 1')).toBeVisible()
    expect(series.getByRole('link')).toHaveAttribute('href', expect.stringMatching(/\/scan\/detail\/[^/]+\/1\.2$/))
    const refused = within(screen.getByRole('table', { name: 'Refused files' }))
    expect(refused.getByText('notes.txt')).toBeVisible()
    expect(refused.getByText('This is not a DICOM file.')).toBeVisible()
    expect(screen.getByText('Upload finished, 1 of 3 files refused')).toBeVisible()
  })

  it('asks the provider’s people each time where files belong, before it takes any', async () => {
    send.mockResolvedValue([stored])
    const drawProvider = () =>
      renderScreen(<App notFound={null} />, {
        at: '/scan/upload',
        as: 'super_admin',
        answers: [answer(organization.listActivated, [northClinic, southClinic])],
      })
    const first = drawProvider()
    expect(await screen.findByText('Choose the organization that the files belong to.')).toBeVisible()
    expect(screen.queryByLabelText('Files')).toBeNull()
    await first.user.selectOptions(screen.getByRole('combobox', { name: 'Organization' }), 'South-Clinic')
    await choose(first.user, aFile('a.dcm'))
    await waitFor(() => expect(send.mock.calls[0]?.[0]).toBe(southClinic.id))
    first.unmount()
    drawProvider()
    expect(await screen.findByText('Choose the organization that the files belong to.')).toBeVisible()
  })

  it('does not count what a disc holds beside its images as refused', async () => {
    send.mockResolvedValue([
      stored,
      { kind: 'refused', reason: 'This is not a DICOM file.', isNoImage: true },
      { kind: 'refused', reason: 'This is a DICOMDIR index, not an image.', isNoImage: true },
      { kind: 'refused', reason: 'This file is too large.' },
    ])
    const { user } = draw()
    await choose(user, aFile('a.dcm'), aFile('AUTORUN.INF'), aFile('DICOMDIR'), aFile('viewer.exe'))
    expect(await screen.findByText('Upload finished, 1 of 4 files refused')).toBeVisible()
    expect(screen.getByText('2 other files of the disc were skipped.')).toBeVisible()
    const refused = within(screen.getByRole('table', { name: 'Refused files' }))
    expect(refused.getByText('viewer.exe')).toBeVisible()
    expect(refused.queryByText('DICOMDIR')).not.toBeInTheDocument()
  })

  it('speaks of a disc only where there is one', async () => {
    const noImage = { kind: 'refused', reason: 'This is not a DICOM file.', isNoImage: true } as const
    send.mockResolvedValue([stored, noImage, noImage])
    const { user } = draw()
    await choose(user, aFile('a.dcm'), aFile('readme.txt'), aFile('index.html'))
    expect(await screen.findByText('2 files that are no images were skipped.')).toBeVisible()
    expect(screen.queryByText(/disc/)).not.toBeInTheDocument()
  })

  it('continues by itself as soon as a lost connection is back, however long it would wait', async () => {
    const { setTimeout: real } = globalThis
    const pauses = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, ms = 0) => (ms >= 1000 ? 0 : real(run, ms))) as typeof setTimeout)
    send
      .mockRejectedValueOnce(
        new CallError(0, 'UNREACHABLE', 'The server cannot be reached right now. Please try again.'),
      )
      .mockResolvedValue([stored])
    const { user } = draw()
    await choose(user, aFile('a.dcm'))
    expect(await screen.findByText('The server cannot be reached right now.')).toBeVisible()
    act(() => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByRole('heading', { name: 'Upload finished' })).toBeVisible()
    expect(screen.queryByText('The server cannot be reached right now.')).not.toBeInTheDocument()
    pauses.mockRestore()
  })

  it('sends a large file alone, and continues it where it was [P28]', async () => {
    sendLarge
      .mockImplementationOnce(async (_organization, _file, { onUploadUrl, onProgress }) => {
        onUploadUrl('/api/Scan/uploads/1')
        onProgress(4_000_002)
        throw new CallError(0, 'UNREACHABLE', 'The server cannot be reached right now. Please try again.')
      })
      .mockResolvedValue([stored])
    send.mockResolvedValue([stored])
    draw()
    await screen.findByText(/Drop DICOM files/)
    act(() =>
      uploadQueue.add(
        'o',
        [8_000_000, 4].map((size) => ({ path: `${size}.dcm`, size, open: () => Promise.resolve(aFile('x', size)) })),
      ),
    )
    expect(await screen.findByText('The server cannot be reached right now.')).toBeVisible()
    // Half of the large one, and with it of its series, is there.
    expect(screen.getByRole('progressbar', { name: 'Files' })).toHaveAttribute('aria-valuenow', '50')
    expect(screen.getByText(/^0 of 2 files, 4 MB of 8 MB\./)).toBeVisible()
    act(() => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByRole('heading', { name: 'Upload finished' })).toBeVisible()
    expect(send.mock.calls.map(([, files]) => files.length)).toEqual([1])
    expect(sendLarge.mock.calls.map(([, file, { uploadUrl }]) => [file.size, uploadUrl])).toEqual([
      [8_000_000, undefined],
      [8_000_000, '/api/Scan/uploads/1'],
    ])
  })

  it('continues a large file that is chosen again after a reload, and starts anew after a sign-out [P23, P28]', async () => {
    const begun = jest.fn()
    sendLarge.mockImplementation(async (_organization, _file, { uploadUrl, onUploadUrl }) => {
      begun(uploadUrl)
      if (uploadUrl === undefined) onUploadUrl(`/api/Scan/uploads/${begun.mock.calls.length}`)
      throw new CallError(409, 'NO_DATASTORE', 'Not now.')
    })
    renderScreen(<App notFound={null} />, { at: '/scan/upload', as: 'staff', answers: [answer(account.logout, null)] })
    addData('folder. Not now.')
    await screen.findByText(/Drop DICOM files/)
    // The platform's own blobs, which can be read, said to be large.
    const aScan = async (text: string) =>
      Object.defineProperty(await new Response(text).blob(), 'size', { value: 9_000_000 })
    const [scan, other] = [await aScan('RUTH'), await aScan('ANNE')]
    const chosen = async (file: Blob, organizationId = 'o') => {
      const before = begun.mock.calls.length
      // A page that is loaded anew knows of no upload.
      act(() => uploadQueue.clear())
      act(() =>
        uploadQueue.add(organizationId, [
          { path: 'folder/Sample^Ruth.dcm', size: file.size, open: () => Promise.resolve(file) },
        ]),
      )
      await screen.findByText('Not now.')
      return begun.mock.calls[before]?.[0] as unknown
    }
    expect(await chosen(scan)).toBeUndefined()
    expect(await chosen(scan)).toBe('/api/Scan/uploads/1')
    expect(await chosen(other)).toBeUndefined()
    expect(await chosen(scan, 'another')).toBeUndefined()
    expect(await chosen(scan)).toBe('/api/Scan/uploads/1')
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toMatch(/ruth|sample|folder/i)
    await act(() => session.end())
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('/api/Scan/uploads')
  })

  it('stops when the server refuses the request, and continues by Resume, without what it said before', async () => {
    const { promise, resolve } = Promise.withResolvers<UploadOutcome[]>()
    send
      .mockRejectedValueOnce(new CallError(409, 'NO_DATASTORE', 'This organization has no datastore yet.'))
      .mockReturnValue(promise)
    const { user } = draw()
    await choose(user, aFile('a.dcm'))
    expect(await screen.findByText('This organization has no datastore yet.')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Upload stopped' })).toBeVisible()
    expect(send).toHaveBeenCalledTimes(1)
    await user.click(screen.getByRole('button', { name: 'Resume' }))
    expect(await screen.findByRole('heading', { name: 'Uploading' })).toBeVisible()
    expect(screen.queryByText('This organization has no datastore yet.')).not.toBeInTheDocument()
    await act(async () => resolve([stored]))
    expect(await screen.findByRole('heading', { name: 'Upload finished' })).toBeVisible()
  })

  it('pauses in the middle of a request, which is sent again afterwards', async () => {
    send
      .mockImplementationOnce(
        (_organization, _files, _progress, signal) =>
          new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError'))),
          ),
      )
      .mockResolvedValue([stored])
    const { user } = draw()
    await choose(user, aFile('a.dcm'))
    await user.click(await screen.findByRole('button', { name: 'Pause' }))
    expect(await screen.findByRole('heading', { name: 'Upload paused' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Resume' }))
    expect(await screen.findByRole('heading', { name: 'Upload finished' })).toBeVisible()
  })

  it('continues while another screen is shown', async () => {
    let finish: (outcomes: UploadOutcome[]) => void = () => undefined
    send.mockImplementationOnce(() => new Promise((resolve) => (finish = resolve)))
    const { user, unmount } = draw()
    await choose(user, aFile('a.dcm'))
    await screen.findByRole('heading', { name: 'Uploading' })
    unmount()
    finish([stored])
    draw()
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Upload finished' })).toBeVisible())
  })
})

describe('a lost connection', () => {
  beforeEach(() => jest.useFakeTimers({ advanceTimers: true }))
  afterEach(() => jest.useRealTimers())

  it('is tried again after a second, then ever more rarely, but every half minute [P28]', async () => {
    send.mockRejectedValue(new CallError(0, 'UNREACHABLE', 'The server cannot be reached right now. Please try again.'))
    const { user } = draw()
    await choose(user, aFile('a.dcm'))
    await screen.findByText('The server cannot be reached right now.')
    expect(send).toHaveBeenCalledTimes(1)
    const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
    await pass(1500)
    expect(send).toHaveBeenCalledTimes(2)
    await pass(1000)
    expect(send).toHaveBeenCalledTimes(2)
    await pass(5 * 60_000)
    const before = send.mock.calls.length
    await pass(60_000)
    expect(send.mock.calls.length - before).toBe(2)
  })
})

describe('the place to drop files', () => {
  const zone = async () => (await screen.findByText(/Drop DICOM files/)).closest('.upload-zone')!
  const entry = (file: (take: (file: File) => void) => void) => ({
    webkitGetAsEntry: () => ({ isFile: true, fullPath: '/.DS_Store', file }),
  })

  it('shows that it would take what is held over it, reads it, and says when it is nothing', async () => {
    draw()
    const place = await zone()
    expect(place).toHaveAttribute('data-over', 'false')
    fireEvent.dragOver(place)
    expect(place).toHaveAttribute('data-over', 'true')
    fireEvent.dragLeave(place)
    expect(place).toHaveAttribute('data-over', 'false')
    fireEvent.dragOver(place)
    let give: (file: File) => void = () => {}
    fireEvent.drop(place, { dataTransfer: { items: [entry((take) => (give = take))] } })
    expect(place).toHaveAttribute('data-over', 'false')
    const button = screen.getByRole('button', { name: /Choose folder/ })
    expect(button).toHaveClass('dmp-button--loading')
    give(aFile('.DS_Store'))
    expect(await screen.findByText('No files were found in your selection.')).toBeVisible()
    await waitFor(() => expect(button).not.toHaveClass('dmp-button--loading'))
  })

  it('has a door for whole folders and one for files', async () => {
    draw()
    expect(await screen.findByLabelText('Folder')).toHaveAttribute('webkitdirectory')
    expect(screen.getByLabelText('Files')).not.toHaveAttribute('webkitdirectory')
  })
})

it('shows nothing of it to the next person who signs in', async () => {
  send.mockResolvedValue([stored])
  const { user, unmount } = draw('staff')
  await choose(user, aFile('a.dcm'))
  await screen.findByRole('heading', { name: 'Upload finished' })
  unmount()
  draw('admin')
  await screen.findByText(/Drop DICOM files/)
  expect(screen.queryByRole('heading', { name: 'Upload finished' })).not.toBeInTheDocument()
})
