import { northClinic } from '@dmp/contract/examples'
import { studyFilterNames } from '@dmp/contract/scan'
import { act, screen } from '@testing-library/react'
import { draw, table } from './worklistInTests.tsx'

describe('the worklist on paper', () => {
  it('says whose list it is, of when, and what narrows it', async () => {
    draw(undefined, { at: '/scan/worklist?searchTerm=knee&isNew=true&modality=CT,MR&studyFrom=2026-05-01' })
    await table()
    const now = jest.spyOn(Date.prototype, 'toISOString').mockReturnValue('2026-05-04T10:12:00.000Z')
    act(() => void dispatchEvent(new Event('beforeprint')))
    now.mockRestore()
    const onPaper = screen.getByText('Search:').closest('ul')!
    expect([...onPaper.children].map((item) => item.textContent)).toEqual([
      northClinic.name,
      expect.stringMatching(/^Printed 2026-05-04, /),
      'Search: knee',
      'New',
      'Modality: CT, MR',
      'Study date: from 2026-05-01',
    ])
  })

  it('says of each filter there is what it narrows to', async () => {
    const valueOf = (name: string, n: number) =>
      name.startsWith('is') ? 'true' : /(?:From|To)$/.test(name) ? `2026-05-${10 + n}` : `of ${name}`
    const all = new URLSearchParams(studyFilterNames.map((name, n) => [name, valueOf(name, n)]))
    draw(undefined, { at: `/scan/worklist?${all}` })
    const onPaper = (await screen.findByText(/^Printed /)).closest('ul')!
    const day = (name: (typeof studyFilterNames)[number]) => valueOf(name, studyFilterNames.indexOf(name))
    expect([...onPaper.children].slice(2).map((item) => item.textContent)).toEqual([
      'New',
      'Shared',
      'Opened by me',
      'Modality: of modality',
      `Study date: ${day('studyFrom')} to ${day('studyTo')}`,
      `Received: ${day('receivedFrom')} to ${day('receivedTo')}`,
      'Body part: of bodyPart',
      'Source: of source',
      'SaaS: of saas',
    ])
  })
})
