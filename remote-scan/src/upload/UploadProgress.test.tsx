import { northClinic } from '@dmp/contract/examples'
import { addData, renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { UploadProgress } from './UploadProgress.tsx'
import type { UploadFile, Uploads } from './uploadFile.ts'

const aStored = (study: string, uid: string): UploadFile => ({
  path: `${uid}.dcm`,
  size: 4,
  open: async () => new Blob(['test']),
  organizationId: northClinic.id,
  state: 'stored',
  series: { uid, studyUID: '1.2', name: `Series ${uid}`, patient: 'Sample, Ruth · P-1', study },
})

it('keeps the date of a study in one piece, as pages of the language write it', async () => {
  const files = [aStored('MR Heart · 2026-11-27', '1.2.1'), aStored('MR Knee', '1.2.2')]
  renderScreen(
    <UploadProgress
      uploads={{ owner: 'somebody', files, sentBytes: 0, isRunning: false, isPaused: false, trouble: null }}
    />,
    { at: '/scan/upload', as: 'staff' },
  )
  addData('Sample, Ruth · P-1 MR Heart · MR Knee')
  const series = within(await screen.findByRole('table', { name: 'Series' }))
  expect(series.getByText('2026-11-27')).toHaveClass('upload-day')
  expect(series.getByText('2026-11-27').parentElement).toHaveTextContent('MR Heart · 2026-11-27')
  expect(series.getByText('MR Knee')).toBeVisible()
})

describe('what the upload says', () => {
  const none: Uploads = { owner: 'somebody', files: [], sentBytes: 0, isRunning: true, isPaused: false, trouble: null }
  const drawUploads = (over: Partial<Uploads>) => {
    renderScreen(<UploadProgress uploads={{ ...none, ...over }} />, { at: '/scan/upload', as: 'staff' })
    addData('Sample, Ruth · P-1 MR Knee')
  }
  const ofState = (state: UploadFile['state'], path: string): UploadFile => ({
    ...aStored('MR Knee', '1.2'),
    state,
    path,
  })
  const skipped = (path: string): UploadFile => ({ ...ofState('refused', path), isSkipped: true, reason: '' })

  it.each([
    [[ofState('waiting', 'a'), ofState('sending', 'b')], {}, 'Uploading', 'Pause', 'Stop'],
    [[ofState('waiting', 'a')], { isPaused: true }, 'Upload paused', 'Resume', 'Stop'],
    [[ofState('waiting', 'a')], { trouble: { message: 'x', isPassing: false } }, 'Upload stopped', 'Resume', 'Stop'],
    [[ofState('waiting', 'a')], { trouble: { message: 'x', isPassing: true } }, 'Uploading', 'Pause', 'Stop'],
    [[ofState('stored', 'a')], { isPaused: true }, 'Upload finished', 'Clear list', undefined],
  ])('%#: %s', (files, over, title, first, second) => {
    addData('x')
    drawUploads({ files, ...over })
    expect(screen.getByRole('heading', { name: title })).toBeVisible()
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([first, second].filter(Boolean))
  })

  it.each([
    [['DICOMDIR'], '1 other file of the disc was skipped.'],
    [['DICOMDIR', 'AUTORUN.INF'], '2 other files of the disc were skipped.'],
    [['a.txt'], '1 file that is no image was skipped.'],
    [['a.txt', 'b.txt'], '2 files that are no images were skipped.'],
  ])('of %j beside images is: %s', (paths, said) => {
    drawUploads({ files: [ofState('stored', 'a.dcm'), ...paths.map(skipped)] })
    expect(screen.getByText(said)).toBeVisible()
  })

  it('is whole where the files have no bytes', () => {
    drawUploads({ files: [{ ...ofState('stored', 'a.dcm'), size: 0 }] })
    expect(screen.getByRole('progressbar', { name: 'Upload' })).toHaveAttribute('aria-valuenow', '100')
    expect(screen.getByRole('progressbar', { name: 'Series 1.2' })).toHaveAttribute('aria-valuenow', '100')
  })
})
