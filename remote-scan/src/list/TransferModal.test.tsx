import { organization, scan } from '@dmp/contract'
import { anId, aScanRow, aTransfer, northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line, type ScreenOptions } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const found = answer(scan.findDestination, { name: 'South-Clinic' })
const two = answer(scan.list, {
  rows: [aScanRow(), aScanRow({ seriesUID: '2.25.201', patientName: 'Example, Jonas' })],
  total: 2,
})
const warning =
  'Are you sure you want to transfer non-anonymized scans to another organization? This can be misused and private patient data can be leaked.'

const aProject = { id: northClinic.id, name: 'Knee study', createdDate: '2026-05-05T09:00:00.000Z' }

const draw = (answers: readonly Line[] = [], options: Partial<ScreenOptions> = {}) =>
  renderScreen(<App notFound={null} />, {
    at: '/scan',
    as: 'admin',
    answers: [
      two,
      answer(scan.listTransfers, []),
      answer(scan.listFilters, []),
      answer(scan.listTransferProjects, [aProject, { ...aProject, id: anId(8), name: 'Hip study' }]),
      ...answers,
    ],
    ...options,
  })

async function openModal(user: ReturnType<typeof draw>['user']) {
  await user.click(await screen.findByRole('checkbox', { name: /Sample, Ruth/ }))
  await user.click(await screen.findByRole('checkbox', { name: /Example, Jonas/ }))
  await user.click(screen.getByRole('button', { name: 'Batch Transfer' }))
  return within(await screen.findByRole('dialog', { name: 'Batch Transfer' }))
}

describe('a selection', () => {
  it('stays in sight over a search, and the confirmation names all of it [2.58, 5.12]', async () => {
    const jonas = aScanRow({ seriesUID: '2.25.201', patientName: 'Example, Jonas' })
    const { user } = draw([], {
      answers: [
        answer(scan.list, ({ query }) => ({ rows: query ? [jonas] : [aScanRow(), jonas], total: query ? 1 : 2 })),
        answer(scan.listTransfers, []),
        answer(scan.listFilters, []),
      ],
    })
    await screen.findByText('Sample, Ruth')
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    const bar = within(screen.getByRole('region', { name: 'Selection' }))
    expect(bar.getByRole('status')).toHaveTextContent('2 selected')
    expect(bar.queryByText(/not in this view/)).toBeNull()
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'jonas{Enter}')
    expect(await bar.findByText(/1 not in this view/)).toBeVisible()
    await user.click(bar.getByRole('button', { name: 'Show' }))
    await user.click(await screen.findByRole('button', { name: /^Deselect Example, Jonas, Axial T1, P-/ }))
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1)!)
    expect(bar.getByRole('status')).toHaveTextContent('1 selected · 1 not in this view')
    await user.click(bar.getByRole('button', { name: 'Clear' }))
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  })
})

describe('batch transfer', () => {
  it('needs one row or more, and the permission [2.58]', async () => {
    const { user, unmount } = draw()
    expect(await screen.findByRole('button', { name: 'Batch Transfer' })).toBeDisabled()
    await user.click(await screen.findByRole('checkbox', { name: /Sample, Ruth/ }))
    expect(screen.getByRole('button', { name: 'Batch Transfer' })).toBeEnabled()
    unmount()
    draw([], { as: 'staff' })
    await screen.findByText('Sample, Ruth')
    expect(screen.queryByRole('button', { name: 'Batch Transfer' })).not.toBeInTheDocument()
  })

  it('names every scan, asks for the organization, then starts [5.12, 3.14, 7.38, 8.09]', async () => {
    const { user, calls } = draw([
      found,
      answer(scan.transfer, aTransfer({ state: 'Done', finishedDate: '2026-05-05T09:01:00.000Z' })),
    ])
    const dialog = await openModal(user)
    expect(dialog.getByRole('checkbox', { name: 'Anonymize' })).toBeChecked()
    expect(dialog.getByRole('button', { name: 'Transfer' })).toBeDisabled()
    await user.type(dialog.getByLabelText('Destination organization name'), 'south-clinic')
    for (const name of ['Sample, Ruth', 'Example, Jonas']) expect(dialog.getByText(name)).toBeInTheDocument()
    expect(dialog.getByText('2 scans of 2 patients, 40 images')).toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Transfer' }))
    expect(await screen.findByText('Successfully initiated Batch Transfer')).toBeVisible()
    expect(calls(scan.findDestination)).toEqual([{ name: 'south-clinic', organizationId: northClinic.id }])
    expect(calls(scan.transfer)).toEqual([
      {
        organizationId: northClinic.id,
        dstOrganizationName: 'South-Clinic',
        anonymize: true,
        scans: [
          { studyUID: '2.25.100', seriesUID: '2.25.200' },
          { studyUID: '2.25.100', seriesUID: '2.25.201' },
        ],
      },
    ])
    expect(screen.getByRole('button', { name: 'Batch Transfer' })).toBeDisabled()
  })

  it('suggests where the person sent scans before, and takes any other name [5.12, P78]', async () => {
    const { user, calls } = draw([
      found,
      answer(scan.listTransfers, [
        aTransfer({ state: 'Done', finishedDate: '2026-05-05T09:01:00.000Z', dstOrganizationName: 'West-Clinic' }),
        aTransfer({ id: anId(51), state: 'Done', finishedDate: '2026-05-05T09:01:00.000Z' }),
        aTransfer({ id: anId(52), state: 'Done', finishedDate: '2026-05-05T09:01:00.000Z' }),
      ]),
      answer(scan.transfer, aTransfer()),
    ])
    const dialog = await openModal(user)
    const field = dialog.getByLabelText('Destination organization name') as HTMLInputElement
    expect(field).toHaveValue('')
    await waitFor(() =>
      expect([...(field.list?.options ?? [])].map(({ value }) => value)).toEqual(['West-Clinic', 'South-Clinic']),
    )
    // Who may not list organizations is told of no other.
    expect(calls(organization.list)).toEqual([])
    await user.type(field, 'Nowhere-yet')
    expect(dialog.getByRole('button', { name: 'Transfer' })).toBeEnabled()
  })

  it('is given up by Cancel: what was ticked stays ticked [2.58]', async () => {
    const { user } = draw()
    const dialog = await openModal(user)
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(screen.getByRole('button', { name: 'Batch Transfer' })).toBeEnabled()
  })

  it.each([
    ['an existing project', 'Knee study', undefined, 'Knee study'],
    ['the second project', 'Hip study', undefined, 'Hip study'],
    ['a new project', 'A new project', 'Heart study', 'Heart study'],
  ])('uses the pseudonyms of %s [5.12, P22]', async (_which, choice, typed, sent) => {
    const { user, calls } = draw([found, answer(scan.transfer, aTransfer())])
    const dialog = await openModal(user)
    await user.type(dialog.getByLabelText('Destination organization name'), 'South-Clinic')
    await user.selectOptions(await dialog.findByLabelText('Project'), choice)
    if (typed !== undefined) {
      expect(dialog.getByRole('button', { name: 'Transfer' })).toBeDisabled()
      await user.type(dialog.getByLabelText('Name of the new project'), typed)
    }
    await user.click(dialog.getByRole('button', { name: 'Transfer' }))
    await waitFor(() => expect(calls(scan.transfer)).toEqual([expect.objectContaining({ project: sent })]))
  })

  it('sends no project with copies that carry all patient data, though one was chosen before [5.12, P22]', async () => {
    const { user, calls } = draw([found, answer(scan.transfer, aTransfer())])
    const dialog = await openModal(user)
    await user.type(dialog.getByLabelText('Destination organization name'), 'South-Clinic')
    await user.selectOptions(await dialog.findByLabelText('Project'), 'Knee study')
    await user.click(dialog.getByRole('checkbox', { name: 'Anonymize' }))
    await user.click(dialog.getByRole('checkbox', { name: warning }))
    await user.click(dialog.getByRole('button', { name: 'Transfer' }))
    await waitFor(() => expect(calls(scan.transfer)).toHaveLength(1))
    expect(calls(scan.transfer)[0]).toMatchObject({ anonymize: false })
    expect(calls(scan.transfer)[0]).not.toHaveProperty('project')
  })

  it('offers no project to copies that carry all patient data [5.12]', async () => {
    const { user } = draw()
    const dialog = await openModal(user)
    await dialog.findByLabelText('Project')
    await user.click(dialog.getByRole('checkbox', { name: 'Anonymize' }))
    expect(dialog.queryByLabelText('Project')).not.toBeInTheDocument()
  })

  it('offers none where the server is of an earlier version, which has none [5.12]', async () => {
    const missing = answer(scan.listTransferProjects, new CallError(404, 'NOT_FOUND', 'Unknown.'))
    const older = draw([], {
      answers: [two, answer(scan.listTransfers, []), answer(scan.listFilters, []), missing],
    })
    const olderDialog = await openModal(older.user)
    await waitFor(() => expect(older.calls(scan.listTransferProjects)).toHaveLength(1))
    expect(olderDialog.queryByLabelText('Project')).not.toBeInTheDocument()
  })

  it('without Anonymize goes on only with the warning ticked [5.12]', async () => {
    const { user } = draw([found])
    const dialog = await openModal(user)
    await user.type(dialog.getByLabelText('Destination organization name'), 'South-Clinic')
    expect(dialog.queryByRole('checkbox', { name: warning })).not.toBeInTheDocument()
    await user.click(dialog.getByRole('checkbox', { name: 'Anonymize' }))
    expect(dialog.getByRole('button', { name: 'Transfer' })).toBeDisabled()
    await user.click(dialog.getByRole('checkbox', { name: warning }))
    expect(dialog.getByRole('button', { name: 'Transfer' })).toBeEnabled()
  })

  it.each([
    ['', 'Please enter an organization name.'],
    ['South Clinic', 'Only alphanumericals, - and _ allowed'],
  ])('refuses %j as a name [5.12, 5.17]', async (name, sentence) => {
    const { user } = draw()
    const dialog = await openModal(user)
    const field = dialog.getByLabelText('Destination organization name')
    if (name !== '') await user.type(field, name)
    await user.click(field)
    await user.tab()
    expect(await dialog.findByText(sentence)).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Transfer' })).toBeDisabled()
  })

  it('shows inside the dialog that there is no such organization [8.03]', async () => {
    const { user, calls } = draw([
      answer(
        scan.findDestination,
        new CallError(404, 'NOT_FOUND', 'No organization with this name can receive scans.'),
      ),
    ])
    const dialog = await openModal(user)
    await user.type(dialog.getByLabelText('Destination organization name'), 'Nowhere')
    await user.click(dialog.getByRole('button', { name: 'Transfer' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('No organization with this name can receive scans.')
    expect(calls(scan.transfer)).toEqual([])
  })
})
