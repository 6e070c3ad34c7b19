import { audit, scan } from '@dmp/contract'
import { aScan, anId, northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line, type ScreenOptions } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const item = aScan()
const others = [
  answer(scan.listDependents, { links: [], transfers: [] }),
  answer(scan.listShares, []),
  answer(scan.listStudies, { rows: [], total: 0 }),
  answer(scan.listHolds, { rows: [], total: 0 }),
  answer(audit.listActivity, { rows: [], total: 0 }),
]
const draw = (answers: readonly Line[], options: Partial<ScreenOptions> = {}) =>
  renderScreen(<App notFound={null} />, {
    at: `/scan/detail/${northClinic.id}/${item.advanced.seriesUID}`,
    as: 'admin',
    answers: [...others, ...answers],
    ...options,
  })
const button = (name: string) => screen.findByRole('button', { name })

describe('delete', () => {
  const deletes = async (user: ReturnType<typeof draw>['user']) => {
    await user.click(await button('Delete'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete' }))
    const phrase = dialog.getByRole('textbox')
    await user.type(phrase, 'Permanently delete')
    expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled()
    await user.clear(phrase)
    await user.type(phrase, 'permanently delete')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Scan deleted')).toBeVisible()
  }
  const input = { organizationId: northClinic.id, seriesIdList: ['2.25.200'] }
  const date = '2026-05-31T10:00:00.000Z'
  const answers = [
    answer(scan.get, item),
    answer(scan.remove, null),
    answer(scan.undoDelete, null),
    answer(scan.list, { rows: [], total: 0 }),
    answer(scan.listTransfers, []),
    answer(scan.listFilters, []),
  ]

  it('wants exactly the phrase, then goes back to the list [5.15, 9.04, 8.09, 7.38]', async () => {
    const { user, calls, path } = draw(answers)
    await deletes(user)
    expect(calls(scan.remove)).toEqual([input])
    expect(path()).toBe('/scan')
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('is taken back by Undo in its notice, where there is a bin', async () => {
    const { user, calls } = draw(answers, { settings: { binDays: 30 } })
    await deletes(user)
    await user.click(await button('Undo'))
    expect(await screen.findByText('Scan restored')).toBeVisible()
    expect(calls(scan.undoDelete)).toEqual([input])
  })

  it('says that it cannot tell what ends with it, and asks again', async () => {
    let isBroken = true
    const { user } = draw([
      answer(scan.listDependents, () =>
        isBroken ? new CallError(500, 'INTERNAL', 'The links could not be read.') : { links: [], transfers: [] },
      ),
      ...answers,
    ])
    await user.click(await button('Delete'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete' }))
    expect(await dialog.findByText('The links could not be read.')).toBeInTheDocument()
    isBroken = false
    await user.click(dialog.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(dialog.queryByText('The links could not be read.')).toBeNull())
  })

  it('says before by name which transfers and links end with it, and what becomes of the images [P78, 5.15]', async () => {
    const dependents = {
      links: [
        { id: anId(1), createdByUser: 'Ms Ada Berg', recipient: 'dr@clinic.example', expireDate: date, goesOn: false },
        { id: anId(2), createdByUser: 'Ms Ada Berg', recipient: null, expireDate: date, goesOn: true },
        { id: anId(4), createdByUser: 'Ms Ada Berg', recipient: 'mr@clinic.example', expireDate: date, goesOn: true },
        { id: anId(5), createdByUser: 'Ms Ada Berg', recipient: null, expireDate: date, goesOn: false },
      ],
      transfers: [{ id: anId(3), createdByUser: 'Mr Jon Fox', dstOrganizationName: 'South-Clinic', scans: 1 }],
    }
    const { user, calls } = draw([answer(scan.listDependents, dependents), ...answers], { settings: { binDays: 30 } })
    await user.click(await button('Delete'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete' }))
    await dialog.findByText('This ends with it:')
    const lines = dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(lines.slice(-5)).toEqual([
      'The transfer to South-Clinic by Mr Jon Fox: 1 scan will not arrive.',
      'The share link for dr@clinic.example by Ms Ada Berg, valid until 2026-05-31.',
      'A share link by Ms Ada Berg, valid until 2026-05-31: it goes on with its other scans.',
      'The share link for mr@clinic.example by Ms Ada Berg, valid until 2026-05-31: it goes on with its other scans.',
      'A share link by Ms Ada Berg, valid until 2026-05-31.',
    ])
    expect(calls(scan.listDependents)).toEqual([input])
    expect(dialog.getByText(/still bring the images back from the bin; after that they are gone/)).toBeInTheDocument()
  })
})
