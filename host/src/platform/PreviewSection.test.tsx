import { history, status } from '@dmp/contract/releaseCalls'
import { endPreviews, listPreviews, type Preview } from '@dmp/contract/releasePreview'
import { addData, answer } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { Pages } from '../pages/Pages.tsx'
import { placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'

const id = 'c'.repeat(32)
const preview: Preview = {
  id,
  part: 'remote-report',
  releaseId: 'b'.repeat(16),
  change: 'pr-17',
  path: `/report?dmp-preview=remote-report.${id}`,
  by: 'CI (API token of super@dmp.example)',
  madeDate: '2026-11-26T12:00:00.000Z',
  endsDate: '2026-12-03T12:00:00.000Z',
  users: ['ann@clinic.example', 'bob@clinic.example'],
}
const watch = { isOn: true, minutes: 60, pages: 20, percent: 5, times: 3 }

const draw = (previews: Preview[]) => {
  placeSnapshot()
  return renderPage(<Pages />, {
    at: '/platform',
    as: 'super_admin',
    answers: [
      answer(status, { version: 2, parts: [], watch }),
      answer(history, []),
      answer(listPreviews, previews),
      answer(endPreviews, previews),
    ],
  })
}

describe('previews on the platform screen', () => {
  it('are named with their maker and end, and ended there for everybody, also of a part that was never live [P83]', async () => {
    const { user, calls } = draw([preview, { ...preview, id: 'd'.repeat(32), change: null, users: ['ann@x.example'] }])
    addData('bbbbbbbb')
    const [first, second] = within(await screen.findByRole('region', { name: 'Previews' })).getAllByRole('listitem')
    expect(first).toHaveTextContent(
      /^remote-report pr-17 Until .*2026.*, by CI \(API token of .*\), for 2 named people/,
    )
    expect(second).toHaveTextContent(/^remote-report bbbbbbbb Until .*, for one named person/)
    expect(within(first!).getByRole('link', { name: 'Open the preview of remote-report pr-17' })).toHaveAttribute(
      'href',
      preview.path,
    )
    await user.click(
      within(first!).getByRole('button', { name: 'End the preview of remote-report pr-17 for everybody' }),
    )
    expect(calls(endPreviews)).toEqual([{ part: 'remote-report', id }])
    await waitFor(() => expect(calls(listPreviews).length).toBeGreaterThan(1))
  })

  it('are not spoken of where there are none', async () => {
    const { calls } = draw([])
    await screen.findByText('All healthy')
    await waitFor(() => expect(calls(listPreviews)).toHaveLength(1))
    expect(screen.queryByRole('region', { name: 'Previews' })).toBeNull()
  })
})
