import { northClinic } from '@dmp/contract/examples'
import { addData, renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { UploadProgress } from './UploadProgress.tsx'
import type { UploadFile } from './uploadFile.ts'

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
