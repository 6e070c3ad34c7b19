import { scan } from '@dmp/contract'
import { aScanRow, aStudy, northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { draw, seriesUID, studies, studyUID } from './detailInTests.tsx'

const images = aScanRow({ studyUID, seriesUID, result: null })
const report = aScanRow({
  studyUID,
  seriesUID: '2.25.301',
  seriesDescription: 'Chest findings',
  uploadDateTime: '2026-05-05T09:00:00.000Z',
  result: { kind: 'Report', madeBy: 'Acme AI', sender: 'trial-a all' },
})
const pdf = aScanRow({
  studyUID,
  seriesUID: '2.25.302',
  seriesDescription: '',
  uploadDateTime: '2026-05-06T09:00:00.000Z',
  result: { kind: 'Document', madeBy: null, sender: null },
})

describe('the results of a study, on the page of its images [P59]', () => {
  it('are announced newest first, with what they are and who made them, and lead to their pages', async () => {
    const { calls } = draw(studies(images, report, pdf))
    const table = within(await screen.findByRole('table', { name: 'Results in this study' }))
    const [, first, second, ...others] = table.getAllByRole('row')
    expect(within(first!).getByRole('link', { name: 'Document' })).toHaveAttribute(
      'href',
      `/scan/detail/${northClinic.id}/2.25.302`,
    )
    expect(second).toHaveTextContent(/Report · Chest findings.*Acme AI · trial-a all.*2026-05-05/)
    expect(others).toEqual([])
    expect(calls(scan.listStudies)).toEqual([{ organizationId: northClinic.id, studyUID }])
  })

  it('are no section where there are none, or where the page is the only one', async () => {
    draw(studies(images, { ...report, seriesUID }))
    expect(await screen.findByRole('region', { name: 'Tags' })).toBeVisible()
    expect(screen.queryByText('Results in this study')).toBeNull()
  })

  it('come after the scan, which does not wait for them', async () => {
    draw(answer(scan.listStudies, () => new Promise<never>(() => undefined)))
    expect(await screen.findByRole('region', { name: 'Tags' })).toBeVisible()
  })

  it('are never those of another study, which a server answers that does not know the question [P02]', async () => {
    const other = aStudy({ studyUID: '2.25.999', series: [report, { ...images, seriesUID: '2.25.304' }] })
    const { calls } = draw(answer(scan.listStudies, { rows: [other], total: 1 }))
    expect(await screen.findByRole('region', { name: 'Tags' })).toBeVisible()
    await waitFor(() => expect(calls(scan.listStudies)).toHaveLength(1))
    // The answer is drawn in the next turns.
    await act(() => new Promise((drawn) => setTimeout(drawn, 50)))
    expect(screen.queryByText('Results in this study')).toBeNull()
    expect(screen.queryByText('Other series of this study')).toBeNull()
  })

  it('come last where nobody knows when they came', async () => {
    draw(studies({ ...report, uploadDateTime: null }, pdf, { ...report, seriesUID: '2.25.303', uploadDateTime: null }))
    const table = within(await screen.findByRole('table', { name: 'Results in this study' }))
    expect(table.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Document',
      'Report · Chest findings',
      'Report · Chest findings',
    ])
  })

  it('are all there where they are just twenty', async () => {
    draw(studies(images, ...Array.from({ length: 20 }, (_, at) => ({ ...report, seriesUID: `2.25.4${at}` }))))
    const section = within(await screen.findByRole('region', { name: 'Results in this study' }))
    expect(section.getAllByRole('link')).toHaveLength(20)
    expect(section.queryByText(/These are the newest/)).toBeNull()
  })

  it('are twenty at most, with the way to all of them', async () => {
    const many = Array.from({ length: 25 }, (_, at) => ({ ...report, seriesUID: `2.25.4${at}` }))
    draw(studies(images, ...many))
    const section = within(await screen.findByRole('region', { name: 'Results in this study' }))
    expect(section.getAllByRole('link', { name: /^Report/ })).toHaveLength(20)
    expect(section.getByText(/These are the newest 20 of 25 results/)).toBeVisible()
    expect(section.getByRole('link', { name: 'All studies of this patient' })).toHaveAttribute(
      'href',
      `/scan/patient/${northClinic.id}/${studyUID}`,
    )
  })

  it('say that they could not be asked for, rather than that there are none', async () => {
    draw(answer(scan.listStudies, new CallError(500, 'INTERNAL', 'This did not work. Try again.')))
    const section = within(await screen.findByRole('region', { name: 'Results in this study' }))
    expect(section.getByRole('alert')).toHaveTextContent('This did not work. Try again.')
  })
})
