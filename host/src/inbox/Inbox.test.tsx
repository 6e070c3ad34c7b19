import * as inbox from '@dmp/contract/inbox'
import { anInboxEntry } from '@dmp/contract/examples'
import { CallError, refresh } from '@dmp/kit'
import { answer, type Line } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { HostPages } from '../pages/HostPages.tsx'
import { Shell } from '../shell/Shell.tsx'
import { placeSearches } from '../testing/placeSearches.ts'
import { renderPage } from '../testing/renderPage.ts'
import { byDay, formatAgo } from './byDay.ts'

const answered = anInboxEntry({
  kind: 'ComplaintChanged',
  link: '/complaint/detail/7',
  patient: null,
  what: 'C-000007',
  state: 'Resolved',
})
const arrived = anInboxEntry({ isUnread: false, patient: 'Sample, Anna', what: 'CT Brain' })

function draw(at: string, ...answers: Line[]) {
  placeSearches()
  let unread = 1
  const mark = () => ({ unread: (unread = 0) })
  const list = () => ({ entries: [{ ...answered, isUnread: unread > 0 }, arrived], total: 2, unread })
  return renderPage(
    <Shell>
      <HostPages />
    </Shell>,
    {
      at,
      as: 'staff',
      answers: [
        answer(inbox.count, () => ({ unread })),
        answer(inbox.list, list),
        answer(inbox.markRead, mark),
        answer(inbox.markAllRead, mark),
        ...answers,
      ],
    },
  )
}
const bell = (name: string) => screen.findByRole('button', { name })

afterEach(() => jest.restoreAllMocks())

describe('the bell', () => {
  it('says how much is unread, opens the newest, and whoever follows one has read it [P47]', async () => {
    const { user, calls, path } = draw('/dashboard')
    await user.click(await bell('Inbox, 1 unread'))
    const panel = within(await screen.findByRole('dialog', { name: 'Inbox' }))
    await user.click(
      await panel.findByRole('link', { name: 'Unread: Complaint C-000007 now has the status Resolved.' }),
    )
    expect(path()).toBe('/complaint/detail/7')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await bell('Inbox')).toBeVisible()
    expect(calls(inbox.markRead)).toEqual([{ id: answered.id }])
  })

  it('marks what it shows, up to the newest of it, and keeps the messages of the page [P47]', async () => {
    const { user, calls } = draw('/dashboard')
    await user.click(await bell('Inbox, 1 unread'))
    const panel = within(await screen.findByRole('dialog', { name: 'Inbox' }))
    await user.click(await panel.findByRole('button', { name: 'Mark all as read' }))
    await waitFor(() => expect(panel.getByRole('button', { name: 'Mark all as read' })).toBeDisabled())
    expect(calls(inbox.markAllRead)).toEqual([{ until: answered.date }])
    expect(panel.getByText('No notifications yet.')).toBeInTheDocument()
    expect(panel.getByRole('link', { name: 'Choose what to be told' })).toHaveAttribute('href', '/account/inbox')
  })

  it('announces politely what comes while the page is open, and nothing that was there before [P29, P47]', async () => {
    let unread = 2
    draw(
      '/dashboard',
      answer(inbox.count, () => ({ unread })),
    )
    await bell('Inbox, 2 unread')
    expect(screen.queryByText(/Something new in your inbox/)).toBeNull()
    unread = 3
    act(() => refresh([inbox.count]))
    expect(await screen.findByText('Something new in your inbox: 3 unread.')).toHaveAttribute('role', 'status')
    unread = 120
    act(() => refresh([inbox.count]))
    expect(await screen.findByText('99+')).toBeVisible()
  })
})

describe('the page of the inbox', () => {
  it('is reached by G and I, and tells by day, with links [P34, P47]', async () => {
    const { user, path } = draw('/dashboard')
    await bell('Inbox, 1 unread')
    await user.keyboard('gi')
    expect(path()).toBe('/inbox')
    const today = within(await screen.findByRole('region', { name: /2026/ }))
    expect(today.getAllByRole('listitem')).toHaveLength(2)
    expect(screen.getByRole('link', { name: 'CT Brain of Sample, Anna arrived.' })).toHaveAttribute(
      'href',
      arrived.link,
    )
  })

  it('shows more when it is asked, and says when there is nothing', async () => {
    const { user, calls } = draw('/inbox', answer(inbox.list, { entries: [arrived], total: 40, unread: 0 }))
    await user.click(await screen.findByRole('button', { name: 'Show earlier' }))
    await waitFor(() => expect(calls(inbox.list).at(-1)).toEqual({ pageSize: '50' }))
  })

  it('shows a kind that only a newer server knows as a plain sentence that leads to it [P47]', async () => {
    // The kit says to developers that the answer is not what it knows.
    jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    const newer = { ...anInboxEntry({ isUnread: false, link: '/newer/7' }), kind: 'SomethingNewer', count: 3 }
    draw(
      '/inbox',
      answer(inbox.list, () => ({ entries: [newer, arrived] as never, total: 2, unread: 0 })),
    )
    expect(
      await screen.findByRole('link', { name: 'Something new that this page does not know yet. Open it to see.' }),
    ).toHaveAttribute('href', '/newer/7')
    expect(screen.getByRole('link', { name: /CT Brain of Sample, Anna/ })).toBeVisible()
  })

  it('says when there is nothing, and that it marks nothing then', async () => {
    draw('/inbox', answer(inbox.list, { entries: [], total: 0, unread: 0 }))
    expect(await screen.findByText(/^Nothing here yet\./)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Mark all as read' })).toBeDisabled()
  })

  it('says why it cannot be shown, and asks again on demand [P28]', async () => {
    let isBroken = true
    const { user } = draw(
      '/inbox',
      answer(inbox.list, () =>
        isBroken
          ? new CallError(400, 'FAILED', 'The inbox cannot be read.')
          : { entries: [arrived], total: 1, unread: 0 },
      ),
    )
    expect(await screen.findByText('The inbox cannot be read.')).toBeVisible()
    isBroken = false
    await user.click(screen.getByRole('button', { name: /again/i }))
    expect(await screen.findByRole('link', { name: /Sample, Anna/ })).toBeVisible()
  })
})

describe('times', () => {
  const now = Date.parse('2026-05-05T12:00:00.000Z')
  it.each([
    ['2026-05-05T12:00:20.000Z', 'now'],
    ['2026-05-05T11:59:30.000Z', 'now'],
    ['2026-05-05T11:58:59.000Z', '1 minute ago'],
    ['2026-05-05T09:00:00.000Z', '3 hours ago'],
    ['2026-05-04T11:00:00.000Z', 'yesterday'],
    // Less than two days, and an evening before.
    [new Date(now - 59_999).toISOString(), 'now'],
    [new Date(now - 60_000).toISOString(), '1 minute ago'],
    [new Date(now - 3_599_999).toISOString(), '59 minutes ago'],
    [new Date(now - 3_600_000).toISOString(), '1 hour ago'],
    ['2026-05-04T01:00:00.000Z', '2 days ago'],
    ['2026-05-01T12:00:00.000Z', '4 days ago'],
  ])('of %s are %s', (instant, words) => expect(formatAgo(instant, now)).toBe(words))

  it('group by day, today and yesterday by their names', () => {
    const dates = [
      '2026-05-05T11:00:00.000Z',
      '2026-05-04T11:00:00.000Z',
      '2026-05-04T10:00:00.000Z',
      '2026-05-01T12:00:00.000Z',
    ]
    const groups = byDay(
      dates.map((date) => anInboxEntry({ date })),
      now,
    )
    expect(groups.map(({ day, entries }) => [day, entries.length])).toEqual([
      ['Today', 1],
      ['Yesterday', 2],
      ['01 / May / 2026', 1],
    ])
  })
  it('call the day before yesterday where one of 23 hours has ended as well', () => {
    // Half an hour after midnight in St. John's, on the day after summer time began.
    const afterMidnight = Date.parse('2026-03-09T03:00:00.000Z')
    const [noon, dayBefore] = ['2026-03-08T15:00:00.000Z', '2026-03-08T02:00:00.000Z']
    const groups = byDay([anInboxEntry({ date: noon }), anInboxEntry({ date: dayBefore })], afterMidnight)
    expect(groups.map(({ day }) => day)).toEqual(['Yesterday', '07 / Mar / 2026'])
    expect(formatAgo(dayBefore, afterMidnight)).toBe('2 days ago')
  })
})
