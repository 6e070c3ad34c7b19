import { remove } from '@dmp/contract/override'
import { getPreview, openPreview, type PreviewReport } from '@dmp/contract/releasePreview'
import { CallError } from '@dmp/kit'
import { answer, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { Pages } from '../pages/Pages.tsx'
import { previewQuestionKey } from '../remotes/activeOverrides.ts'
import { readQuestion, resetOverrideState } from '../remotes/overrideState.ts'
import { createRemote, placePage } from '../testing/createRemote.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { renderPage } from '../testing/renderPage.ts'

const scan = createRemote('remote-scan', { title: 'Scans' }, true)

// What is loaded late is drawn late; that is not what is looked at here.
beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => {
  resetOverrideState()
  sessionStorage.clear()
  jest.restoreAllMocks()
  history.replaceState(null, '', '/')
})

// Not in jsdom.
Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => undefined })

const draw = (answers: readonly Line[] = [], over: Partial<Parameters<typeof renderPage>[1]> = {}) =>
  renderPage(<Pages />, { at: '/dashboard', as: 'super_admin', settings: { isDemo: false }, answers, ...over })
const follow = (link: string): void => {
  history.replaceState(null, '', link)
  readQuestion()
}
const bar = () => screen.findByRole('region', { name: 'Overrides of this browser' })

describe('the address of a preview', () => {
  const id = 'c'.repeat(32)
  const releaseId = 'b'.repeat(16)
  const report: PreviewReport = {
    id,
    part: 'remote-scan',
    releaseId,
    change: 'pr-17',
    path: `/scan?dmp-preview=remote-scan.${id}`,
    by: 'CI (API token of super@dmp.example)',
    madeDate: '2026-11-26T12:00:00.000Z',
    endsDate: '2026-12-03T12:00:00.000Z',
    users: ['ann@clinic.example'],
    title: 'Scans',
    version: '1.4.2',
    commit: 'abc1234',
    findings: [
      { check: 'needs', passed: true, says: 'The host provides everything.', cure: null },
      { check: 'journey remote-scan', passed: false, says: 'It was not tried.', cure: 'Have it tried.' },
      {
        check: 'looks remote-scan',
        passed: true,
        says: '2.0 % looks different.',
        cure: null,
        pictures: { seen: 'bmV3', live: 'b2xk' },
      },
    ],
    weight: { entry: 5000, firstRoute: 20_000, all: 90_000 },
    live: { releaseId: 'a'.repeat(16), version: '1.4.1', weight: { entry: 5000, firstRoute: 19_000, all: 91_500 } },
    needs: [{ module: '@dmp/kit', range: '^1.10.0' }],
    calls: { count: 12, added: ['GET /Scan/listNew'] },
  }

  it('asks whoever may open it, says what is known, and does nothing without a yes [P83]', async () => {
    placePage({ remotes: [scan] })
    follow(`/dashboard?page=2&dmp-preview=remote-scan.${id}`)
    expect(location.search).toBe('?page=2')
    const { user, calls } = draw(
      [answer(getPreview, report), answer(openPreview, new CallError(409, 'CHANGED_MEANWHILE', 'A newer release.'))],
      { as: 'staff' as never },
    )
    const dialog = within(await screen.findByRole('dialog', { name: 'Open the preview of Scans?' }))
    expect(calls(getPreview)).toEqual([{ part: 'remote-scan', id }])
    expect(dialog.getByText(/it runs in your session and can do everything that you can do/)).toBeInTheDocument()
    expect(dialog.getByText('20 kB, 1,000 bytes more than live')).toBeInTheDocument()
    expect(dialog.getByText('5 kB, as live')).toBeInTheDocument()
    expect(dialog.getByText('GET /Scan/listNew')).toBeInTheDocument()
    const findings = dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(findings).toContain('Passed:needs The host provides everything. ')
    expect(findings).toContain('Not passed:journey remote-scan It was not tried. Have it tried.')
    const pictures = dialog.getAllByRole('img').map((one) => [one.getAttribute('alt'), one.getAttribute('src')])
    expect(pictures).toEqual([
      ['Live', 'data:image/jpeg;base64,b2xk'],
      ['This change', 'data:image/jpeg;base64,bmV3'],
    ])
    expect(dialog.getByRole('link', { name: 'This change' })).toHaveAttribute('href', 'blob:picture')
    expect(calls(openPreview)).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Open it in this browser' }))
    expect(calls(openPreview)).toEqual([{ part: 'remote-scan', id, releaseId }])
    expect(await dialog.findByText('A newer release.')).toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sessionStorage.getItem(previewQuestionKey)).toBeNull()
  })

  it('says as much as is known where nothing is live yet, and why a picture is one of a failure [P83]', async () => {
    placePage({ remotes: [scan] })
    follow(`/dashboard?dmp-preview=remote-scan.${id}`)
    const failed = {
      check: 'looks remote-scan',
      passed: false,
      says: 'It broke.',
      cure: null,
      pictures: { seen: 'bmV3' },
    }
    const first = { ...report, change: null, live: null, calls: null, needs: [], findings: [failed] }
    draw([answer(getPreview, first)], { as: 'staff' as never })
    const dialog = within(await screen.findByRole('dialog', { name: 'Open the preview of Scans?' }))
    expect(dialog.getByText('20 kB')).toBeInTheDocument()
    for (const label of ['Change', 'Calls', 'New calls', 'Taken from the host'])
      expect(dialog.queryByText(label)).not.toBeInTheDocument()
    expect(dialog.getAllByRole('img').map((picture) => picture.getAttribute('alt'))).toEqual(['When it failed'])
  })

  it.each([
    ['it calls nothing new', { calls: { count: 12, added: [] } }],
    ['nothing is live to compare it with', { live: null }],
  ])('names no new calls where %s [P83]', async (_what, over) => {
    placePage({ remotes: [scan] })
    follow(`/dashboard?dmp-preview=remote-scan.${id}`)
    draw([answer(getPreview, { ...report, ...over })], { as: 'staff' as never })
    const dialog = within(await screen.findByRole('dialog', { name: 'Open the preview of Scans?' }))
    expect(dialog.getByText('12')).toBeInTheDocument()
    expect(dialog.queryByText('New calls')).not.toBeInTheDocument()
  })

  it('says why it cannot be asked about, and asks nothing [P83]', async () => {
    placePage({ remotes: [scan] })
    follow(`/dashboard?dmp-preview=remote-scan.${id}`)
    draw([answer(getPreview, new CallError(409, 'NOT_POSSIBLE', 'The release store cannot be read.'))])
    expect(await screen.findByText('The release store cannot be read.')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it.each([
    [404, 'This preview has ended. The next page that you open is live.'],
    [409, 'The release store cannot be read.'],
  ])('says on its bar what became of it: %i [P83]', async (status, sentence) => {
    const preview = { id, endsDate: report.endsDate }
    placePage({ remotes: [scan], overrides: [{ part: 'remote-scan', releaseId, version: '1.4.2', preview }] })
    const { user } = draw([answer(getPreview, new CallError(status, 'X', 'The release store cannot be read.'))])
    await user.click(within(await bar()).getByRole('button', { name: /^Details of the preview/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Preview of Scans (remote-scan)' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent(sentence)
  })

  it('says the same of one that has ended and of one that is for others [P83]', async () => {
    placePage({ remotes: [scan] })
    follow(`/dashboard?dmp-preview=remote-scan.${id}`)
    const { user } = draw([answer(getPreview, new CallError(404, 'NOT_FOUND', 'Not found.'))], { as: 'staff' as never })
    expect(await screen.findByText(/This preview has ended, or it is not for you/)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.queryByText(/This preview has ended/)).toBeNull()
  })

  it('waits for who has to sign in first, and asks the server nothing [P83]', async () => {
    placePage({ remotes: [createRemote('remote-login', { routes: [{ prefix: '/login', guard: 'guest' }] }), scan] })
    fakeScripts(() => 'hangs')
    follow(`/login?dmp-preview=remote-scan.${id}`)
    const { calls } = draw([], { at: '/login', as: null as never })
    expect(await screen.findByText(/A link asks to open a preview of Scans \(remote-scan\)\. Sign in/)).toBeVisible()
    expect(calls(getPreview)).toEqual([])
  })

  it.each([`remote-scan@${id}`, `scan.${id}`, 'remote-scan.x', `remote-scan.${id}.x`, `../host.${id}`])(
    'that names %s is not even asked about [P83]',
    async (wanted) => {
      placePage({ remotes: [scan] })
      follow(`/dashboard?dmp-preview=${encodeURIComponent(wanted)}`)
      draw()
      expect(await screen.findByRole('heading', { level: 1 })).toBeVisible()
      expect(location.search).toBe('')
      expect(sessionStorage.getItem(previewQuestionKey)).toBeNull()
    },
  )

  it('leads to a frame on every screen that says so, with what is known and the end [P83]', async () => {
    placePage({
      remotes: [scan],
      overrides: [{ part: 'remote-scan', releaseId, version: '1.4.2', preview: { id, endsDate: report.endsDate } }],
    })
    const { user, calls } = draw([answer(getPreview, report), answer(remove, null)], { as: 'staff' as never })
    const shown = within(await bar())
    expect(shown.getByRole('listitem')).toHaveTextContent(
      /^Preview of Scans \(remote-scan\), release 1\.4\.2 · b{16}, until .*2026.*: not live/,
    )
    expect(calls(getPreview)).toEqual([])
    await user.click(shown.getByRole('button', { name: 'Details of the preview of Scans (remote-scan)' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Preview of Scans (remote-scan)' }))
    expect(await dialog.findByText('pr-17')).toBeInTheDocument()
    await user.keyboard('{Escape}')
    await user.click(shown.getByRole('button', { name: 'End the preview of Scans (remote-scan) in this browser' }))
    await waitFor(() => expect(calls(remove)).toEqual([{ part: 'remote-scan' }]))
  })
})
