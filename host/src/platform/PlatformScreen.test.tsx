import { add } from '@dmp/contract/override'
import {
  history,
  promoteCanary,
  rollback,
  status,
  stopCanary,
  type ReleaseFigures,
  type ShownMove,
  type ShownPart,
  type ShownRelease,
} from '@dmp/contract/releaseCalls'
import { listPreviews } from '@dmp/contract/releasePreview'
import { listOwnDeletions, listTransfers } from '@dmp/contract/scan'
import { CallError } from '@dmp/kit'
import { answer } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { Pages } from '../pages/Pages.tsx'
import { placePage, placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'

const figures = (over: Partial<ReleaseFigures> = {}): ReleaseFigures => ({
  pages: 1204,
  failures: 2,
  errors: 1,
  badShare: 0.0025,
  loadMsP75: 321,
  faults: [{ fault: 'chunk', pages: 2 }],
  ...over,
})
const aRelease = (releaseId: string, version: string, over: Partial<ShownRelease> = {}): ShownRelease => ({
  releaseId,
  version,
  commit: 'abc123',
  publishedAt: '2026-11-20T08:00:00Z',
  brotliBytes: 31_400,
  since: '2026-11-20T09:00:00Z',
  by: 'ann@dmp.example',
  figures: figures(),
  ...over,
})
const id = (digit: string): string => digit.repeat(16)

const scans: ShownPart = {
  name: 'remote-scan',
  title: 'Scans',
  live: aRelease(id('a'), '1.4.1'),
  canary: {
    ...aRelease(id('b'), '1.4.2', { figures: figures({ pages: 40, badShare: 0.2 }) }),
    percent: 10,
    users: ['bob@dmp.example'],
  },
  before: { releaseId: id('9'), version: '1.4.0' },
}
const users: ShownPart = {
  name: 'remote-user',
  title: 'Users',
  live: aRelease(id('c'), '1.0.0', {
    since: null,
    by: null,
    figures: figures({ pages: 0, failures: 0, errors: 0, badShare: null, loadMsP75: null, faults: [] }),
  }),
  canary: null,
  before: null,
}
const watch = { isOn: true, minutes: 60, pages: 20, percent: 5, times: 3 }
const moves: ShownMove[] = [
  {
    version: 2,
    at: '2026-11-21T09:00:00Z',
    change: 'canary',
    parts: ['remote-scan'],
    by: 'ann@dmp.example',
    reason: null,
    percent: 10,
  },
  {
    version: 1,
    at: '2026-11-20T09:00:00Z',
    change: 'rollback',
    parts: ['remote-user'],
    by: 'automatic',
    reason: '7 of 40 pages failed',
    percent: null,
  },
]

const draw = (
  answers: Parameters<typeof renderPage>[1]['answers'] = [],
  role: 'super_admin' | 'sys_admin' = 'super_admin',
) => {
  placeSnapshot()
  return renderPage(<Pages />, {
    at: '/platform',
    as: role,
    answers: [
      answer(status, { version: 2, parts: [scans, users], watch }),
      answer(history, moves),
      ...[listPreviews, listTransfers, listOwnDeletions].map((call) => answer(call, [])),
      ...answers,
    ],
  })
}
const card = async (title: string) => within(await screen.findByRole('region', { name: title }))

describe('the platform screen', () => {
  it('says of each part what is live and what is a canary: which, since when, by whom, how large, how it fares', async () => {
    draw()
    const part = await card('Scans')
    expect(part.getByText('1.4.1')).toBeVisible()
    expect(part.getAllByText('1,204')[0]).toBeVisible()
    expect(part.getByText('Healthy')).toBeVisible()
    expect(part.getAllByText('321 ms')[0]).toBeVisible()
    expect(part.getByText('0.3 %')).toBeVisible()
    expect(part.getAllByText('31 kB')[0]).toBeVisible()
    expect(part.getAllByText('A file not loaded: 2')[0]).toBeVisible()
    expect(part.queryByText('Overridden in this browser')).toBeNull()
    expect(part.getAllByText(/by ann@dmp\.example · commit abc123/)[0]).toBeVisible()
    const canary = within(part.getByRole('group', { name: 'Canary of Scans' }))
    expect(canary.getByText('Canary and 1 named person')).toBeVisible()
    expect(canary.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '10')
    expect(canary.getByText('Failing')).toBeVisible()
    expect(screen.getByText('Failing: the canary of Scans')).toBeVisible()
    expect(screen.getByText('2 parts live, one canary.')).toBeVisible()
    expect(part.getByRole('link', { name: 'Errors and times of Scans' })).toBeVisible()
    const quiet = await card('Users')
    expect(quiet.getByText('No pages yet')).toBeVisible()
    expect(quiet.getByText(/Live since before this history began/)).toBeVisible()
    expect(quiet.getByText('No earlier release')).toBeVisible()
    expect(quiet.getByRole('link')).toHaveAttribute('href', '/platform/part/remote-user')
  })

  it('rolls back after a question, with a reason, exactly the release that was seen', async () => {
    const { user, calls } = draw([answer(rollback, null)])
    await user.click((await card('Scans')).getByRole('button', { name: 'Roll back to 1.4.0…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Roll back Scans?' }))
    expect(dialog.getByText(/Everyone gets 1\.4\.0 with/)).toBeInTheDocument()
    expect(calls(rollback)).toEqual([])
    await user.type(dialog.getByLabelText(/Reason/), 'rows were missing')
    expect(dialog.getByRole('button', { name: 'Roll back' })).toHaveClass('dmp-button--danger')
    await user.click(dialog.getByRole('button', { name: 'Roll back' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls(rollback)).toEqual([{ part: 'remote-scan', releaseId: id('a'), reason: 'rows were missing' }])
    expect(calls(status).length).toBeGreaterThan(1)
  })

  it.each([
    ['Promote…', 'Promote the canary of Scans?', 'Give it to 50 %', promoteCanary],
    ['Stop…', 'Stop the canary of Scans?', 'Stop canary', stopCanary],
  ] as const)('%s asks, then moves the canary that was seen', async (button, title, verb, endpoint) => {
    const { user, calls } = draw([answer(endpoint, null)])
    await user.click((await card('Scans')).getByRole('button', { name: button }))
    const dialog = within(await screen.findByRole('dialog', { name: title }))
    await user.type(dialog.getByLabelText(/Reason/), 'as planned')
    await user.click(dialog.getByRole('button', { name: verb }))
    await waitFor(() =>
      expect(calls(endpoint)).toEqual([{ part: 'remote-scan', releaseId: id('b'), reason: 'as planned' }]),
    )
  })

  it('counts canaries and people, and says seconds where a part takes so long', async () => {
    const slow = {
      ...aRelease(id('d'), '1.0.1', { figures: figures({ loadMsP75: 1000 }) }),
      percent: 50,
      users: ['bob@dmp.example', 'eve@dmp.example'],
    }
    draw([answer(status, { version: 2, parts: [scans, { ...users, canary: slow }], watch })])
    const part = await card('Users')
    expect(part.getByText('Canary and 2 named people')).toBeVisible()
    expect(part.getAllByText('1.0 s')[0]).toBeVisible()
    expect(screen.getByText('2 parts live, 2 canaries.')).toBeVisible()
  })

  it('makes the last step of a canary live for everyone, and says why in 500 characters at most', async () => {
    const half = { ...scans, canary: { ...aRelease(id('b'), '1.4.2'), percent: 50, users: [] } }
    const { user, calls } = draw([
      answer(status, { version: 2, parts: [half, users], watch }),
      answer(promoteCanary, null),
    ])
    await user.click((await card('Scans')).getByRole('button', { name: 'Promote…' }))
    // It has a share of everybody, and nobody by name.
    expect((await card('Scans')).getByText('Canary')).toBeVisible()
    const dialog = within(await screen.findByRole('dialog', { name: 'Promote the canary of Scans?' }))
    expect(dialog.getByText('Goes live for everyone and is no longer a canary.')).toBeInTheDocument()
    const verb = dialog.getByRole('button', { name: 'Make it live' })
    expect(verb).not.toHaveClass('dmp-button--danger')
    await user.click(dialog.getByLabelText(/Reason/))
    await user.paste('x'.repeat(501))
    expect(verb).toBeDisabled()
    await user.keyboard('{Backspace}')
    expect(verb).toBeEnabled()
    await user.click(verb)
    expect(await screen.findByText('The canary of Scans is live for everyone')).toBeVisible()
    expect(calls(promoteCanary)).toMatchObject([{ reason: 'x'.repeat(500) }])
  })

  it('judges by the share of pages that failed: from the watch’s share on it fails, up to one in a hundred it is healthy', async () => {
    const rows: [string, ReleaseFigures, string, string][] = [
      ['remote-none', figures({ badShare: 0, faults: [] }), '0 %', 'Healthy'],
      ['remote-one', figures({ badShare: 0.01 }), '1.0 %', 'Healthy'],
      ['remote-some', figures({ badShare: 0.011 }), '1.1 %', 'Some failures'],
      ['remote-five', figures({ badShare: 0.05 }), '5.0 %', 'Failing'],
      ['remote-ten', figures({ badShare: 0.1 }), '10 %', 'Failing'],
      ['remote-unjudged', figures({ badShare: null }), '–', 'No pages yet'],
    ]
    draw([
      answer(status, {
        version: 2,
        parts: rows.map(([title, of]) => ({
          ...users,
          name: title,
          title,
          live: aRelease(id('c'), '1.0.0', { figures: of }),
        })),
        watch,
      }),
    ])
    for (const [title, , share, word] of rows) {
      const part = await card(title)
      expect(part.getByText(share)).toBeVisible()
      expect(part.getByText(word)).toBeVisible()
    }
    expect(screen.getByText('Failing: remote-five, remote-ten')).toBeVisible()
    expect(screen.getByText('6 parts live, no canary.')).toBeVisible()
  })

  it('says that nothing fails, that nothing was moved, and what this browser gets in place of what is live', async () => {
    draw([answer(status, { version: 2, parts: [users], watch }), answer(history, [])])
    placePage({ overrides: [{ part: 'remote-user', releaseId: id('d') }] })
    expect((await card('Users')).getByText('Overridden in this browser')).toBeVisible()
    expect(screen.getByText('All healthy')).toBeVisible()
    expect(await screen.findByText('No changes yet.')).toBeVisible()
  })

  it('says that somebody else was faster, and shows what is there now', async () => {
    const { user, calls } = draw([
      answer(rollback, new CallError(409, 'CHANGED_MEANWHILE', 'Another release of it is live by now.')),
    ])
    await user.click((await card('Scans')).getByRole('button', { name: 'Roll back to 1.4.0…' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText(/Reason/), 'x')
    await user.click(dialog.getByRole('button', { name: 'Roll back' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Another release of it is live by now.')
    await waitFor(() => expect(calls(status).length).toBeGreaterThan(1))
  })

  it('lists every move, and those of one part', async () => {
    const { user } = draw()
    const table = await screen.findByRole('table', { name: 'History' })
    expect(within(table).getAllByRole('row')).toHaveLength(3)
    expect(within(table).getByText('Canary 10 %')).toBeVisible()
    expect(within(table).getByText('7 of 40 pages failed')).toBeVisible()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Part' }), 'Users')
    expect(within(table).getAllByRole('row')).toHaveLength(2)
    expect(within(table).getByText('Rolled back')).toBeVisible()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Part' }), 'Any part')
    expect(within(table).getAllByRole('row')).toHaveLength(3)
  })

  it('says where nothing of a part was moved', async () => {
    const { user } = draw([answer(history, moves.slice(0, 1))])
    await screen.findByRole('table', { name: 'History' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Part' }), 'Users')
    expect(screen.getByText('No changes to this part yet.')).toBeVisible()
  })

  it('puts another release into this browser, the canary unless told otherwise', async () => {
    const { user, calls } = draw([
      answer(add, new CallError(404, 'NO_RELEASE', 'The release store has no remote-scan@9.9.9.')),
    ])
    await user.click((await card('Scans')).getByRole('button', { name: 'Try another release of Scans' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Try another release of Scans' }))
    const field = dialog.getByLabelText(/Release/)
    expect(field).toHaveValue(id('b'))
    await user.clear(field)
    await user.type(field, '9.9.9')
    await user.click(dialog.getByRole('button', { name: 'Use it in this browser' }))
    expect(await dialog.findByText('The release store has no remote-scan@9.9.9.')).toBeVisible()
    expect(calls(add)).toEqual([{ part: 'remote-scan', source: '9.9.9' }])
  })

  it('is for those whose policy lists it, in the navigation too [2.31, 2.33]', async () => {
    const { path } = draw([], 'sys_admin')
    expect(await screen.findByRole('heading', { name: '403 Not Authorized' })).toBeVisible()
    expect(path()).toBe('/not-authorized/Release/List')
    expect(screen.queryByRole('link', { name: 'Platform' })).toBeNull()
  })
})
