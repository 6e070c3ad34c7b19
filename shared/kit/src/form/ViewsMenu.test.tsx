import * as scan from '@dmp/contract/scan'
import type { ScanFilter } from '@dmp/contract/scan'
import { anId } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { Screen } from '@dmp/kit/screen'
import { ViewsMenu } from '@dmp/kit/form'
import { answer, renderScreen, type ScreenOptions } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'

const view = (over: Partial<ScanFilter>): ScanFilter => ({
  id: anId(1),
  name: 'Mine',
  search: '',
  sortColumn: '',
  sortDirection: '',
  query: 'state=open&sortColumn=1&sortDirection=desc',
  isShared: false,
  isOwn: true,
  ...over,
})
const shared = view({ id: anId(2), name: 'Late', query: 'state=overdue', isShared: true, isOwn: false })

const draw = (at: string, options: Partial<ScreenOptions> = {}) =>
  renderScreen(
    <Screen title="Complaints">
      <ViewsMenu place="complaint" allLabel="All complaints" />
    </Screen>,
    {
      at,
      as: 'staff',
      ...options,
      answers: [answer(scan.listFilters, [view({}), shared]), ...(options.answers ?? [])],
    },
  )

describe('views of a list [P76]', () => {
  it('are asked for when the menu is opened, and lead to their address by one press', async () => {
    const { user, calls, path } = draw('/complaint')
    await user.click(screen.getByRole('button', { name: 'Views' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Late (shared)' }))
    expect(calls(scan.listFilters)).toEqual([{ place: 'complaint' }])
    await waitFor(() => expect(path()).toBe(`/complaint?page=1&state=overdue&view=${shared.id}`))
    await user.click(await screen.findByRole('button', { name: 'View: Late' }))
    await user.click(screen.getByRole('menuitemradio', { name: 'All complaints' }))
    await waitFor(() => expect(path()).toBe('/complaint?page=1'))
  })

  it('are named on whatever page they show, and not once something else is searched for', async () => {
    const address = `/complaint?view=${anId(1)}&page=3&pageSize=25&sortDirection=desc&sortColumn=1&state=open`
    const { goTo } = draw(`${address}&searchTerm=`)
    expect(await screen.findByRole('button', { name: 'View: Mine' })).toBeVisible()
    await goTo(`${address}&searchTerm=slow`)
    expect(await screen.findByRole('button', { name: 'Views' })).toBeVisible()
  })

  it('keep search, filters and order, for oneself or for everybody', async () => {
    const { user, calls } = draw(
      '/complaint?page=3&pageSize=25&searchTerm=slow&sortColumn=&sortDirection=&state=open',
      {
        answers: [answer(scan.addFilter, view({ name: 'Slow' }))],
      },
    )
    await user.click(screen.getByRole('button', { name: 'Views' }))
    await user.click(screen.getByRole('menuitem', { name: 'Save this view…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Save this view' }))
    const what = dialog.getByText('Saves the search for “slow”, the filters and the order of the list.')
    await waitFor(() => expect(what).toBeVisible())
    await user.type(dialog.getByLabelText('Name'), 'Slow')
    await user.click(dialog.getByRole('checkbox', { name: 'Share with everyone in North-Clinic' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('View Slow saved')).toBeVisible()
    expect(calls(scan.addFilter)).toEqual([
      expect.objectContaining({
        name: 'Slow',
        place: 'complaint',
        isShared: true,
        search: 'slow',
        query: 'searchTerm=slow&state=open',
      }),
    ])
  })

  it('can be deleted by whoever made them, and taken back', async () => {
    const { user, calls } = draw('/complaint', {
      answers: [answer(scan.removeFilter, null), answer(scan.addFilter, view({}))],
    })
    await user.click(screen.getByRole('button', { name: 'Views' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Manage views…' }))
    const note = await screen.findByText('Shared by a colleague')
    await waitFor(() => expect(note).toBeVisible())
    const [remove, ...others] = screen.getAllByRole('button', { name: /^Delete / })
    expect(others).toEqual([])
    await user.click(remove!)
    expect(await screen.findByText('View deleted')).toBeVisible()
    expect(calls(scan.removeFilter)).toEqual([{ id: anId(1) }])
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('View Mine saved')).toBeVisible()
    const { name, query, isShared } = view({})
    expect(calls(scan.addFilter)).toEqual([expect.objectContaining({ name, query, isShared, place: 'complaint' })])
  })

  it('that cannot be had are said to be missing, and not to be none', async () => {
    const { user } = renderScreen(<ViewsMenu place="complaint" allLabel="All complaints" />, {
      at: '/complaint',
      as: 'staff',
      answers: [answer(scan.listFilters, new CallError(409, 'BROKEN', 'The views are broken.'))],
    })
    await user.click(screen.getByRole('button', { name: 'Views' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Manage views…' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('The views are broken.')
    expect(screen.queryByText('No saved views yet.')).not.toBeInTheDocument()
  })

  it('are none once the last one is deleted', async () => {
    let views = [view({})]
    const { user } = renderScreen(<ViewsMenu place="complaint" allLabel="All complaints" />, {
      at: '/complaint',
      as: 'staff',
      answers: [
        answer(scan.listFilters, () => views),
        answer(scan.removeFilter, () => {
          views = []
          return null
        }),
      ],
    })
    await user.click(screen.getByRole('button', { name: 'Views' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Manage views…' }))
    await user.click(await screen.findByRole('button', { name: 'Delete Mine' }))
    expect(await screen.findByText('No saved views yet.')).toBeInTheDocument()
  })

  it.each([
    ['complaint', '?state=open', 'Saves the filters and the order of the list.', false],
    ['worklist', '?state=open', 'Saves the filters, the columns and the order of the list.', false],
    [
      'worklist',
      '?state=open&searchTerm=slow',
      'Saves the search for “slow”, the filters, the columns and the order of the list.',
      true,
    ],
  ] as const)('of the %s at %s say before they are kept: %s', async (place, query, what, warns) => {
    const { user } = renderScreen(<ViewsMenu place={place} allLabel="All" />, {
      at: `/list${query}`,
      as: 'staff',
      answers: [answer(scan.listFilters, [])],
    })
    await user.click(screen.getByRole('button', { name: 'Views' }))
    await user.click(screen.getByRole('menuitem', { name: 'Save this view…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Save this view' }))
    expect(dialog.getByText(what)).toBeInTheDocument()
    expect(dialog.queryAllByText('Your colleagues will see what you searched for.')).toHaveLength(warns ? 1 : 0)
  })
})
