import { scan } from '@dmp/contract'
import { aScanRow } from '@dmp/contract/examples'
import type { ScanFilter } from '@dmp/contract/scan'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type ScreenOptions } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const knees: ScanFilter = {
  id: '00000000-0000-4000-8000-000000000f01',
  name: 'Knees',
  search: 'knee',
  sortColumn: '2',
  sortDirection: 'desc',
}
const hips: ScanFilter = {
  id: '00000000-0000-4000-8000-000000000f02',
  name: 'Hips',
  search: 'hip',
  sortColumn: '',
  sortDirection: '',
}

const draw = (options: Partial<ScreenOptions> = {}) =>
  renderScreen(<App notFound={null} />, {
    at: '/scan',
    as: 'staff',
    ...options,
    answers: [
      answer(scan.list, { rows: [aScanRow()], total: 1 }),
      answer(scan.listTransfers, []),
      answer(scan.listFilters, [hips, knees]),
      ...(options.answers ?? []),
    ],
  })
const choose = async (user: ReturnType<typeof draw>['user'], button: RegExp, item: string) => {
  await user.click(await screen.findByRole('button', { name: button }))
  await user.click(
    await screen.findByRole('menuitem', { name: item }).catch(() => screen.findByRole('menuitemradio', { name: item })),
  )
}

describe('filters of the scan list [2.58]', () => {
  it('apply by one click, into the address, and say which one is applied [2.63]', async () => {
    const { user, calls } = draw()
    await choose(user, /^Filters$/, 'Knees')
    expect(await screen.findByRole('button', { name: 'Filter: Knees' })).toBeVisible()
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('knee')
    await waitFor(() => expect(calls(scan.list).at(-1)).toMatchObject({ query: 'knee', direction: 'desc' }))
  })

  it('are followed by a link from outside [2.63]', async () => {
    draw({ at: '/scan?searchTerm=hip&sortColumn=&sortDirection=' })
    expect(await screen.findByRole('button', { name: 'Filter: Hips' })).toBeVisible()
  })

  it('are not applied where the same search is sorted in another way', async () => {
    draw({
      at: '/scan?searchTerm=knee&sortColumn=3&sortDirection=desc',
      answers: [
        answer(scan.listFilters, [
          knees,
          { ...knees, id: hips.id, name: 'Old', sortColumn: '3', sortDirection: 'asc' },
        ]),
      ],
    })
    await screen.findByText('Sample, Ruth')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Filters' })).toHaveTextContent(/^Filters$/))
  })

  it('say of one without a word that it is of everything', async () => {
    const { user } = draw({ answers: [answer(scan.listFilters, [{ ...hips, search: '' }])] })
    await choose(user, /^Filter/, 'Manage filters…')
    const table = within(await screen.findByRole('table', { name: 'Filters' }))
    expect(table.getByRole('row', { name: /Hips/ })).toHaveTextContent(/^HipsEverything/)
  })

  it('are said to be none once the last one is deleted', async () => {
    let filters = [hips]
    const { user } = draw({
      answers: [
        answer(scan.listFilters, () => filters),
        answer(scan.removeFilter, () => {
          filters = []
          return null
        }),
      ],
    })
    await choose(user, /^Filters$/, 'Manage filters…')
    await user.click(await screen.findByRole('button', { name: 'Delete Hips' }))
    expect(await screen.findByText('No saved filters yet.')).toBeInTheDocument()
  })

  it('keep what is searched for now, by a name', async () => {
    const { user, calls } = draw({
      at: '/scan?searchTerm=skull',
      answers: [answer(scan.addFilter, { ...hips, name: 'Skulls' })],
    })
    await choose(user, /^Filters$/, 'Save this search…')
    const dialog = within(await screen.findByRole('dialog', { name: 'Save this search' }))
    await user.clear(dialog.getByRole('textbox', { name: 'Name' }))
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Skulls')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Filter Skulls saved')).toBeVisible()
    expect(calls(scan.addFilter)[0]).toEqual({ name: 'Skulls', search: 'skull', sortColumn: '', sortDirection: '' })
  })

  it('keep what stands in the field, though the search has not begun [P77]', async () => {
    const { user, calls } = draw({ answers: [answer(scan.addFilter, { ...hips, name: 'Skulls' })] })
    await user.type(await screen.findByRole('searchbox', { name: 'Search' }), 'skull')
    await choose(user, /^Filters$/, 'Save this search…')
    const dialog = within(await screen.findByRole('dialog', { name: 'Save this search' }))
    expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('skull')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await screen.findByText('Filter Skulls saved')
    expect(calls(scan.addFilter)).toMatchObject([{ search: 'skull' }])
  })

  it('are renamed and deleted', async () => {
    const { user, calls } = draw({
      answers: [answer(scan.renameFilter, { ...hips, name: 'Left hips' }), answer(scan.removeFilter, null)],
    })
    await choose(user, /^Filters$/, 'Manage filters…')
    expect(await screen.findByRole('link', { name: 'Knees' })).toHaveAttribute(
      'href',
      '/scan?searchTerm=knee&sortColumn=2&sortDirection=desc',
    )
    await user.click(screen.getByRole('button', { name: 'Rename Hips' }))
    const name = await screen.findByRole('textbox', { name: 'Name' })
    await user.clear(name)
    await user.type(name, 'Left hips')
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    await user.click(await screen.findByRole('button', { name: 'Delete Knees' }))
    expect(await screen.findByText('Filter deleted')).toBeVisible()
    expect(calls(scan.renameFilter)[0]).toEqual({ id: hips.id, name: 'Left hips' })
    expect(calls(scan.removeFilter)[0]).toEqual({ id: knees.id })
  })

  it('are back by Undo, with the same search and order', async () => {
    let kept: readonly ScanFilter[] = [hips, knees]
    const { user, calls } = draw({
      answers: [
        answer(scan.listFilters, () => [...kept]),
        answer(scan.removeFilter, ({ id }) => {
          kept = kept.filter((filter) => filter.id !== id)
          return null
        }),
        answer(scan.addFilter, ({ name, search, sortColumn, sortDirection }) => {
          const added = { id: '00000000-0000-4000-8000-000000000f03', name, search, sortColumn, sortDirection }
          kept = [...kept, added]
          return added
        }),
      ],
    })
    await choose(user, /^Filters$/, 'Manage filters…')
    await user.click(await screen.findByRole('button', { name: 'Delete Knees' }))
    expect(await screen.findByText('Filter deleted')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Knees' })).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Filter Knees saved')).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Knees' })).toHaveAttribute(
      'href',
      '/scan?searchTerm=knee&sortColumn=2&sortDirection=desc',
    )
    expect(calls(scan.addFilter)).toEqual([{ name: 'Knees', search: 'knee', sortColumn: '2', sortDirection: 'desc' }])
  })

  it('say why Undo was refused', async () => {
    const sentence = 'You already have a filter with this name.'
    const { user } = draw({
      answers: [answer(scan.removeFilter, null), answer(scan.addFilter, new CallError(409, 'NAME_TAKEN', sentence))],
    })
    await choose(user, /^Filters$/, 'Manage filters…')
    await user.click(await screen.findByRole('button', { name: 'Delete Knees' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText(sentence)).toBeVisible()
  })
})
