import { aScanRow, northClinic } from '@dmp/contract/examples'
import type { ScanRow } from '@dmp/contract/scan'
import { screen, within } from '@testing-library/react'
import { draw, seriesUID, studies, studyUID } from './detailInTests.tsx'

const shown = aScanRow({ studyUID, seriesUID, result: null })
const another = (n: number, more: Partial<ScanRow> = {}): ScanRow =>
  aScanRow({ studyUID, seriesUID: `2.25.7${n}`, seriesDescription: `Axial ${n}`, result: null, ...more })

describe('the other series of a study, on the page of one of them', () => {
  it('are tiles that lead to their pages; itself and results of programs are not among them', async () => {
    const report = another(2, { result: { kind: 'Report', madeBy: 'Acme AI', sender: null } })
    draw(studies(shown, another(1), report))
    const section = within(await screen.findByRole('region', { name: 'Other series of this study' }))
    const links = section.getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([`/scan/detail/${northClinic.id}/2.25.71`])
    expect(links[0]).toHaveTextContent('Axial 1')
  })

  it('are no section where there is no other one', async () => {
    draw(studies(shown))
    expect(await screen.findByRole('region', { name: 'Tags' })).toBeVisible()
    expect(screen.queryByText('Other series of this study')).toBeNull()
  })

  it('are all there where they are just twelve, one without a picture and one without words among them', async () => {
    const [paper, bare] = [another(20, { noOfImages: 0 }), another(21, { seriesDescription: '', modality: '' })]
    const nothing = another(22, { noOfImages: 0, seriesDescription: '', modality: '' })
    draw(studies(shown, paper, bare, nothing, ...Array.from({ length: 9 }, (_, at) => another(at))))
    const section = within(await screen.findByRole('region', { name: 'Other series of this study' }))
    const texts = section.getAllByRole('link').map(({ textContent }) => textContent)
    expect(texts).toHaveLength(12)
    expect(texts.slice(0, 4)).toEqual([
      'MRAxial 20MR',
      'No description20 images',
      'No pictureNo description',
      'Axial 0MR · 20 images',
    ])
    expect(section.queryByText(/These are/)).toBeNull()
  })

  it('are twelve at most, with the way to all of them', async () => {
    draw(studies(shown, ...Array.from({ length: 14 }, (_, at) => another(at))))
    const section = within(await screen.findByRole('region', { name: 'Other series of this study' }))
    expect(section.getAllByRole('listitem')).toHaveLength(12)
    expect(section.getByText(/These are 12 of 14 series/)).toBeVisible()
    expect(section.getByRole('link', { name: 'All studies of this patient' })).toHaveAttribute(
      'href',
      `/scan/patient/${northClinic.id}/${studyUID}`,
    )
  })
})
