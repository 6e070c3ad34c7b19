import {
  getFigures,
  getNotices,
  listErrors,
  setBudgets,
  setNotices,
  status,
  switchNotices,
} from '@dmp/contract/releaseCalls'
import type { ErrorGroup } from '@dmp/contract/releaseErrors'
import type { PartFigures } from '@dmp/contract/releaseFigures'
import type { Notices } from '@dmp/contract/releaseNotices'
import { limits } from '@dmp/contract/limits'
import { listOwnDeletions, listTransfers } from '@dmp/contract/scan'
import { answer } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Pages } from '../pages/Pages.tsx'
import { placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'
import { scans } from '../testing/shownPart.ts'

const watch = { isOn: true, minutes: 60, pages: 3, percent: 5, times: 3 }
const releaseId = 'a'.repeat(16)
const group: ErrorGroup = {
  id: '1',
  name: 'TypeError',
  message: 'Cannot read properties of undefined (reading …)',
  stack: [
    { file: 'src/list/Table.tsx', line: 12, column: 3, name: 'rows' },
    { file: 'App.js', line: 1, column: 4711, name: null },
  ],
  reports: 1204,
  people: 2,
  firstDate: '2026-11-20T08:00:00Z',
  lastDate: '2026-11-26T08:00:00Z',
  releases: [{ releaseId, version: '1.4.1', reports: 1204 }],
  browsers: [
    { name: 'Firefox 145', reports: 1200 },
    { name: 'Chrome 142', reports: 4 },
  ],
}

const figures: PartFigures = {
  part: 'remote-scan',
  releases: [
    {
      releaseId,
      version: '1.4.1',
      state: 'live',
      openPages: 12,
      mostOpenPages: 40,
      times: [
        { what: 'start', p75: 1500, p95: 4000, pages: 300 },
        { what: 'cls', p75: 50, p95: 100, pages: 300 },
      ],
    },
    { releaseId: 'b'.repeat(16), version: '1.4.0', state: 'earlier', openPages: 3, mostOpenPages: 9, times: [] },
  ],
  budgets: [{ what: 'start', p75: 1000 }],
}
const notices: Notices = { part: 'remote-scan', isOn: false, emails: [], webhook: null, lastDate: null }

const draw = (
  groups: ErrorGroup[],
  role: 'super_admin' | 'sys_admin' = 'super_admin',
  more: readonly ReturnType<typeof answer>[] = [],
) => {
  placeSnapshot()
  return renderPage(<Pages />, {
    at: '/platform/part/remote-scan',
    as: role,
    answers: [
      answer(status, { version: 1, parts: [], watch }),
      answer(listErrors, groups),
      answer(getFigures, figures),
      ...(more.length > 0 ? more : [answer(getNotices, notices)]),
      // The list of one's work, which a notice opens.
      answer(listTransfers, []),
      answer(listOwnDeletions, []),
    ],
  })
}
const errors = async () => within(await screen.findByRole('region', { name: 'Errors of the last 30 days' }))

// Compiled once, before anything waits for the page that fetches it.
beforeAll(() => import('./PartScreen.tsx'))

describe('the page of a part [P84]', () => {
  it('lists errors with how often and for how many, and opens one to its stack, releases and browsers', async () => {
    draw([group, { ...group, id: '2', name: 'RangeError', reports: 1, people: 1 }])
    const list = await errors()
    for (const text of ['1,204 reports', 'up to 2 people a day', '1 report', '1 person'])
      expect(list.getByText(text)).toBeVisible()
    await userEvent.click(list.getByText(/TypeError/))
    const [stack] = list.getAllByRole('region', { name: 'Stack' })
    expect(stack).toHaveTextContent('rows (src/list/Table.tsx:12:3) App.js:1:4711')
    const [item] = list.getAllByRole('listitem')
    expect(within(item!).getByText('Firefox 145: 1,200')).toBeInTheDocument()
    expect(within(item!).getByText(/1\.4\.1/)).toBeInTheDocument()
  })

  it('has the name of the part and not of another one', async () => {
    const named = (name: string, title: string) => ({ ...scans, name, title })
    draw([], 'super_admin', [
      answer(status, { version: 1, parts: [named('remote-user', 'Users'), named('remote-scan', 'Scans')], watch }),
      answer(getNotices, notices),
    ])
    expect(await screen.findByRole('heading', { level: 1, name: 'Scans' })).toBeVisible()
  })

  it('says so where no page told of one', async () => {
    draw([])
    expect((await errors()).getByText('No page told of an error.')).toBeVisible()
  })

  it('is not for those who may not see releases', async () => {
    draw([group], 'sys_admin')
    expect(await screen.findByText(/not authorized/i)).toBeVisible()
    expect(screen.queryByText(/TypeError/)).toBeNull()
  })
})

describe('the page of a part for its team [P85]', () => {
  const figuresOf = async () => within(await screen.findByRole('region', { name: 'Releases on people’s pages' }))
  const noticesOf = async () => within(await screen.findByRole('region', { name: 'Who is told' }))

  it('shows who still has which release, how long people wait, and what is over its budget', async () => {
    draw([])
    const [live, earlier] = (await (await figuresOf()).findAllByRole('row')).slice(1)
    expect(live).toHaveTextContent(/1\.4\.1.*Live.*12.*40.*1\.5 s \(4\.0 s\).*Over budget.*0\.05 \(0\.1\)/)
    expect(earlier).toHaveTextContent(/1\.4\.0.*Earlier.*3.*9/)
    expect(within(earlier!).queryByText('Over budget')).toBeNull()
    // Two releases may have one version.
    expect(live).toHaveTextContent(releaseId)
    expect(earlier).toHaveTextContent('b'.repeat(16))
  })

  it('takes budgets, of which an empty field is none', async () => {
    const asked: unknown[] = []
    draw([], 'super_admin', [answer(getNotices, notices), answer(setBudgets, (input) => (asked.push(input), figures))])
    await userEvent.click(await (await figuresOf()).findByRole('button', { name: 'Budgets…' }))
    const start = await screen.findByRole('textbox', { name: 'Start' })
    await userEvent.clear(start)
    await userEvent.type(screen.getByRole('textbox', { name: 'Answer to a click' }), '200')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Budgets saved')).toBeVisible()
    expect(asked).toEqual([{ part: 'remote-scan', budgets: [{ what: 'inp', p75: 200 }] }])
  })

  it.each([
    ['0', false],
    ['1', true],
    ['60000', true],
    ['60001', false],
    ['1.5', false],
    ['-5', false],
  ])('takes a budget of %s ms: %s', async (ms, isTaken) => {
    draw([])
    await userEvent.click(await (await figuresOf()).findByRole('button', { name: 'Budgets…' }))
    const field = await screen.findByRole('textbox', { name: 'Answer to a click' })
    await userEvent.type(field, ms)
    await waitFor(() =>
      expect((screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement).disabled).toBe(!isTaken),
    )
  })

  it('is within a budget that it just keeps', async () => {
    const [live] = figures.releases
    const kept = {
      ...figures,
      releases: [{ ...live!, times: [{ what: 'start' as const, p75: 1000, p95: 2000, pages: 9 }] }],
    }
    draw([], 'super_admin', [answer(getNotices, notices), answer(getFigures, kept)])
    expect(await (await figuresOf()).findByText('1.0 s (2.0 s)')).toBeVisible()
    expect(screen.queryByText('Over budget')).toBeNull()
  })

  it('is told to addresses alone where there is no webhook, to as many as may be', async () => {
    const asked: unknown[] = []
    draw([], 'super_admin', [
      answer(getNotices, { ...notices, isOn: true, emails: ['a@x.example'] }),
      answer(setNotices, (input) => (asked.push(input), { ...notices, secret: null })),
    ])
    await userEvent.click((await noticesOf()).getByRole('button', { name: 'Change…' }))
    const field = await screen.findByRole('textbox', { name: 'Email addresses' })
    await userEvent.type(screen.getByLabelText('Your password'), 'DemoPassw0rd!')
    const addresses = Array.from({ length: limits.noticeAddresses + 1 }, (_, at) => `a${at}@x.example`)
    await userEvent.clear(field)
    await userEvent.paste(addresses.join(', '))
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    const most = addresses.slice(1)
    await userEvent.clear(field)
    await userEvent.paste(most.join(' '))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(asked).toEqual([{ part: 'remote-scan', emails: most, url: null, password: 'DemoPassw0rd!' }]),
    )
  })

  it('registers addresses by the password, and shows the secret of a webhook once', async () => {
    const asked: unknown[] = []
    const secret = 'whsec_c2VjcmV0'
    draw([], 'super_admin', [
      answer(getNotices, notices),
      answer(setNotices, (input) => (asked.push(input), { ...notices, secret })),
    ])
    const section = await noticesOf()
    expect(await section.findByText('Nobody is told yet.')).toBeVisible()
    await userEvent.click(section.getByRole('button', { name: 'Change…' }))
    await userEvent.type(await screen.findByRole('textbox', { name: 'Email addresses' }), 'a@x.example, b@x.example')
    await userEvent.type(screen.getByRole('textbox', { name: 'Webhook' }), 'https://x.example/hook')
    await userEvent.type(screen.getByLabelText('Your password'), 'DemoPassw0rd!')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(secret)).toBeVisible()
    expect(asked).toEqual([
      {
        part: 'remote-scan',
        emails: ['a@x.example', 'b@x.example'],
        url: 'https://x.example/hook',
        password: 'DemoPassw0rd!',
      },
    ])
  })

  it('says who is told, and ends it', async () => {
    const asked: unknown[] = []
    const told: Notices = { ...notices, isOn: true, emails: ['a@x.example'], lastDate: '2026-11-26T08:00:00Z' }
    draw([], 'super_admin', [
      answer(getNotices, told),
      answer(switchNotices, (input) => (asked.push(input), { ...told, isOn: false })),
    ])
    const section = await noticesOf()
    expect(await section.findByText('a@x.example')).toBeVisible()
    await userEvent.click(section.getByRole('button', { name: 'Stop telling' }))
    await waitFor(() => expect(asked).toEqual([{ part: 'remote-scan', isOn: false }]))
  })
})
