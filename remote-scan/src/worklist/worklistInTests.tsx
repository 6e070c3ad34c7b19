import { audit, scan } from '@dmp/contract'
import { aScan, aScanRow, aStudy } from '@dmp/contract/examples'
import type { Study } from '@dmp/contract/scan'
import { answer, renderScreen, type Line, type ScreenOptions } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

export const ruth = aStudy({ isNew: true })
export const jonas = aStudy({
  studyUID: '2.25.101',
  patientName: 'Example, Jonas',
  patientID: 'P-2',
  description: 'Heart',
  seriesCount: 2,
  images: 30,
  isShared: true,
  series: [
    aScanRow({ studyUID: '2.25.101', seriesUID: '2.25.301', patientName: 'Example, Jonas', seriesDescription: 'Cine' }),
    aScanRow({ studyUID: '2.25.101', seriesUID: '2.25.302', patientName: 'Example, Jonas', seriesDescription: 'Late' }),
  ],
})
export const ruthAgain = aStudy({
  studyUID: '2.25.102',
  description: 'Hip',
  series: [aScanRow({ studyUID: '2.25.102', seriesUID: '2.25.303' })],
})
export const list = (studies: readonly Study[] = [ruth, jonas, ruthAgain], total = studies.length) =>
  answer(scan.listStudies, { rows: studies, total })
export const others = [
  answer(scan.getStudyKinds, { modalities: ['CT', 'MR'], bodyParts: ['KNEE'], sources: ['Upload'] }),
  answer(scan.countStudies, { count: 0 }),
  answer(scan.listFilters, []),
  answer(scan.listTransfers, []),
  answer(scan.get, aScan()),
  answer(scan.listShares, []),
  answer(scan.listHolds, { rows: [], total: 0 }),
  answer(audit.listActivity, { rows: [], total: 0 }),
  answer(scan.listDependents, { links: [], transfers: [] }),
]

export const draw = (answers: readonly Line[] = [list()], options: Partial<ScreenOptions> = {}) =>
  renderScreen(<App notFound={null} />, {
    at: '/scan/worklist',
    as: 'admin',
    answers: [...others, ...answers],
    ...options,
  })
export const table = () => screen.findByRole('table', { name: 'Studies' })
export const rowOf = async (name: RegExp) => within(await table()).findByRole('row', { name })
export const button = (name: string | RegExp) => screen.findByRole('button', { name })
export const namesInOrder = async () => {
  await screen.findAllByText('Sample, Ruth')
  return [...(await table()).querySelectorAll('[data-study]')].map((row) => row.getAttribute('data-study'))
}
