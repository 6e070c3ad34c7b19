import { aStudy } from '@dmp/contract/examples'
import { screen } from '@testing-library/react'
import { draw, jonas, list, ruth } from './worklistInTests.tsx'

describe('two patients of one name', () => {
  it('are told apart in the name of everything that acts on a row', async () => {
    draw([list([ruth, aStudy({ ...ruth, studyUID: '2.25.109', patientID: 'P-9' })])])
    expect(await screen.findAllByText('Sample, Ruth')).toHaveLength(2)
    for (const id of ['P-1001', 'P-9']) {
      const name = `Sample, Ruth, Knee, 2026-05-04, ${id}`
      expect(screen.getByRole('checkbox', { name: `Select ${name}` })).toBeVisible()
      for (const act of ['View', 'Share', 'More for', 'Series of'])
        expect(screen.getByRole('button', { name: `${act} ${name}` })).toBeVisible()
      expect(screen.getByRole('link', { name })).toHaveTextContent('Sample, Ruth')
    }
  })

  it('have their IDs beside their names, where no column says them', async () => {
    const other = aStudy({ ...jonas, studyUID: '2.25.109', patientID: 'P-9' })
    draw([list([ruth, jonas, other])], { at: '/scan/worklist?columns=study,modality' })
    for (const id of ['P-2', 'P-9']) expect(await screen.findByText(id)).toBeVisible()
    expect(screen.queryByText('P-1001')).toBeNull()
  })
})
