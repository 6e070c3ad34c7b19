import { scan } from '@dmp/contract'
import { aScanRow, anId, aTransfer } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const two = answer(scan.list, {
  rows: [aScanRow(), aScanRow({ seriesUID: '2.25.201', patientName: 'Example, Jonas' })],
  total: 2,
})
describe('transfers', () => {
  const table = async () => within(await screen.findByRole('table', { name: 'Transfers' }))
  const withTransfers = (reply: Parameters<typeof answer<typeof scan.listTransfers>>[1], more: readonly Line[] = []) =>
    renderScreen(<App notFound={null} />, {
      at: '/scan',
      as: 'admin',
      answers: [
        two,
        answer(scan.listTransfers, reply),
        answer(scan.listFilters, []),
        answer(scan.listTransferScans, { organizationId: anId(1), scans: [aScanRow()] }),
        ...more,
      ],
    })

  it('show their progress until they are done', async () => {
    let transfer = aTransfer()
    withTransfers(() => [transfer])
    expect((await table()).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
    transfer = aTransfer({ state: 'Done', finishedDate: '2026-05-05T09:01:00.000Z' })
    await waitFor(
      async () => expect((await table()).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100'),
      { timeout: 5000 },
    )
  })

  it('can be stopped after a question that says what has arrived, and not once they are over', async () => {
    const [scanOf] = aTransfer().scans
    if (!scanOf) throw new Error('a transfer without scans')
    const running = aTransfer({
      id: '00000000-0000-4000-8000-0000000000d1',
      scans: [
        { ...scanOf, state: 'Done' },
        { ...scanOf, seriesUID: '2.25.201' },
      ],
    })
    const over = aTransfer({
      id: '00000000-0000-4000-8000-0000000000d2',
      state: 'Done',
      finishedDate: '2026-05-05T09:01:00.000Z',
    })
    const { user, calls } = withTransfers(
      [running, over],
      [answer(scan.stopTransfer, over), answer(scan.listHeld, { rows: [], total: 0 })],
    )
    const details = (await table()).getAllByRole('button', { name: 'Details' })
    const dialog = async () => within(await screen.findByRole('dialog', { name: 'Transfer to South-Clinic' }))
    await user.click(details[1] as HTMLElement)
    expect((await dialog()).queryByRole('button', { name: /Stop transfer/ })).not.toBeInTheDocument()
    await user.click((await dialog()).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
    await user.click(details[0] as HTMLElement)
    await user.click((await dialog()).getByRole('button', { name: 'Stop transfer…' }))
    const question = within(await screen.findByRole('dialog', { name: 'Stop the transfer to South-Clinic?' }))
    const text =
      '1 scan will not arrive; what was copied of them is deleted. 1 scan arrived already and will stay there.'
    expect(question.getByText(text)).toBeInTheDocument()
    await user.click(question.getByRole('button', { name: 'Stop transfer' }))
    expect(await screen.findByText('Transfer to South-Clinic stopped')).toBeVisible()
    expect(calls(scan.stopTransfer)).toEqual([{ id: running.id }])
  })

  it('say how many of their scans did not arrive', async () => {
    const [done] = aTransfer().scans
    if (!done) throw new Error('a transfer without scans')
    const running = aTransfer({
      id: '00000000-0000-4000-8000-0000000000a1',
      scans: [done, { ...done, seriesUID: '2.25.201' }],
    })
    let transfer = running
    withTransfers(() => [transfer])
    expect((await table()).getByText('2 scans')).toBeVisible()
    transfer = {
      ...running,
      state: 'Done',
      finishedDate: '2026-05-05T09:01:00.000Z',
      scans: [
        { ...done, state: 'Done' },
        { ...done, seriesUID: '2.25.201', state: 'Failed' },
      ],
    }
    await screen.findByText('2 scans, 1 failed', {}, { timeout: 5000 })
    // Not the green word for all of it, nor a full bar [P78].
    expect((await table()).getByText('1 of 2 scans arrived')).toHaveClass('dmp-badge--warning')
    expect((await table()).queryByText('Done')).not.toBeInTheDocument()
    expect((await table()).getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '100')
  })

  it('name the patients of what failed, with the reason, and send that again as it was sent [P78, 5.12]', async () => {
    const [first] = aTransfer().scans
    if (!first) throw new Error('a transfer without scans')
    const partly = aTransfer({
      state: 'Done',
      finishedDate: '2026-05-05T09:01:00.000Z',
      project: 'Knee study',
      scans: [
        { ...first, state: 'Done' },
        { ...first, seriesUID: '2.25.201', state: 'Failed', message: 'South-Clinic has no room.' },
      ],
    })
    const rows = [aScanRow(), aScanRow({ seriesUID: '2.25.201', patientName: 'Example, Jonas' })]
    const { user, calls } = withTransfers(
      [partly],
      [
        answer(scan.listTransferScans, { organizationId: anId(1), scans: rows }),
        answer(scan.listTransferProjects, []),
        answer(scan.findDestination, { name: 'South-Clinic' }),
        answer(scan.transfer, aTransfer({ leavesInSeconds: 60 })),
      ],
    )
    await user.click((await table()).getByRole('button', { name: 'Details' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Transfer to South-Clinic' }))
    expect(dialog.getByText('1 of 2 scans arrived')).toBeInTheDocument()
    const [failed] = (await dialog.findAllByRole('row')).slice(1)
    await waitFor(() => expect(failed).toHaveTextContent(/Example, Jonas.*Failed.*South-Clinic has no room\./))
    await user.click(dialog.getByRole('button', { name: 'Try again…' }))
    const again = within(await screen.findByRole('dialog', { name: 'Batch Transfer' }))
    expect(again.getByText('Example, Jonas')).toBeInTheDocument()
    expect(again.queryByText('Sample, Ruth')).not.toBeInTheDocument()
    await user.click(again.getByRole('button', { name: 'Transfer' }))
    await waitFor(() =>
      expect(calls(scan.transfer)).toEqual([
        {
          organizationId: anId(1),
          dstOrganizationName: 'South-Clinic',
          anonymize: true,
          project: 'Knee study',
          scans: [{ studyUID: '2.25.100', seriesUID: '2.25.201' }],
        },
      ]),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('send what failed with all patient data only as it was sent: not anonymized, and warned of again [P78]', async () => {
    const [scanOf] = aTransfer().scans.map((one) => ({ ...one, state: 'Failed' as const }))
    const failed = aTransfer({
      state: 'Failed',
      finishedDate: '2026-05-05T09:01:00.000Z',
      anonymize: false,
      scans: [scanOf!],
    })
    const { user } = withTransfers(
      [failed],
      [
        answer(scan.listTransferScans, { organizationId: anId(1), scans: [aScanRow()] }),
        answer(scan.findDestination, { name: 'South-Clinic' }),
        answer(scan.listTransferProjects, []),
      ],
    )
    await user.click((await table()).getByRole('button', { name: 'Details' }))
    await user.click(await screen.findByRole('button', { name: 'Try again…' }))
    const again = within(await screen.findByRole('dialog', { name: 'Batch Transfer' }))
    expect(again.getByRole('checkbox', { name: /Anonymize/ })).not.toBeChecked()
    expect(again.getByRole('button', { name: 'Transfer' })).toBeDisabled()
  })

  it('tell what became of each scan, and what was removed', async () => {
    const done = aTransfer({
      state: 'Failed',
      finishedDate: '2026-05-05T09:01:00.000Z',
      scans: [
        {
          seriesUID: '2.25.200',
          description: 'Axial T1',
          newSeriesUID: null,
          state: 'Failed',
          message: 'The pixel data may show a name.',
          images: 20,
          imagesDone: 20,
        },
      ],
    })
    const { user, calls } = withTransfers(
      [done],
      [answer(scan.getTransferReport, { text: '(0010,0010) removed by rule Z' })],
    )
    await user.click((await table()).getByRole('button', { name: 'Details' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Transfer to South-Clinic' }))
    expect(dialog.getByText('The pixel data may show a name.')).toBeInTheDocument()
    expect(dialog.getByText('Axial T1')).toBeInTheDocument()
    expect(calls(scan.getTransferReport)).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Show what was removed' }))
    expect(await dialog.findByLabelText('Report of what was removed')).toHaveValue('(0010,0010) removed by rule Z')
    expect(calls(scan.getTransferReport)).toEqual([{ id: done.id }])
    await user.click(dialog.getByRole('button', { name: 'Copy report' }))
    expect(await navigator.clipboard.readText()).toBe('(0010,0010) removed by rule Z')
    expect(await screen.findByText('Report copied to clipboard.')).toBeInTheDocument()
  })

  it.each([
    ['still runs', {}],
    [
      'took all patient data along',
      { anonymize: false, state: 'Done' as const, finishedDate: '2026-05-05T09:01:00.000Z' },
    ],
  ])('have nothing to show of what was removed where one %s', async (_which, over) => {
    const { user } = withTransfers([aTransfer({ id: '00000000-0000-4000-8000-0000000000c1', ...over })])
    await user.click((await table()).getByRole('button', { name: 'Details' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Transfer to South-Clinic' }))
    expect(dialog.queryByRole('button', { name: 'Show what was removed' })).not.toBeInTheDocument()
  })

  it('are stopped, not failed, where somebody stopped them, and have nothing to show of what was removed', async () => {
    const [first] = aTransfer().scans
    const stopped = { ...first!, state: 'Failed' as const, isStopped: true, message: 'Ada hat gestoppt.' }
    const { user } = withTransfers([
      aTransfer({ state: 'Failed', finishedDate: '2026-05-05T09:01:00.000Z', scans: [stopped] }),
    ])
    const shown = await table()
    expect(shown.getByText('Stopped')).toBeVisible()
    await user.click(shown.getByRole('button', { name: 'Details' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Transfer to South-Clinic' }))
    expect(dialog.getByText('Stopped')).toBeInTheDocument()
    expect(dialog.queryByRole('button', { name: 'Show what was removed' })).not.toBeInTheDocument()
  })

  it('count what failed without what somebody stopped', async () => {
    const [first] = aTransfer().scans
    const scans = [
      { ...first!, state: 'Done' as const },
      { ...first!, state: 'Failed' as const },
      { ...first!, state: 'Failed' as const, isStopped: true },
    ]
    withTransfers([aTransfer({ state: 'Done', finishedDate: '2026-05-05T09:01:00.000Z', scans })])
    expect((await table()).getByText('3 scans, 1 failed')).toBeVisible()
  })

  it('show the failed ones first, what is not known of them by words, and that a report could not be copied', async () => {
    const [first] = aTransfer().scans
    const scans = [
      { ...first!, state: 'Failed' as const, description: 'Early' },
      { ...first!, seriesUID: '2.25.201', state: 'Done' as const, description: '' },
      { ...first!, seriesUID: '2.25.202', state: 'Failed' as const, description: 'Late' },
      { ...first!, seriesUID: '2.25.203', state: 'Done' as const, description: 'Last' },
    ]
    const { user } = withTransfers(
      [aTransfer({ state: 'Done', finishedDate: '2026-05-05T09:01:00.000Z', scans })],
      [answer(scan.getTransferReport, { text: 'removed' })],
    )
    await user.click((await table()).getByRole('button', { name: 'Details' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Transfer to South-Clinic' }))
    const lines = dialog
      .getAllByRole('row')
      .map(({ textContent }) => /Early|Late|Last|No description/.exec(textContent)?.[0])
    expect(lines.slice(1)).toEqual(['Early', 'Late', 'No description', 'Last'])
    await user.click(dialog.getByRole('button', { name: 'Show what was removed' }))
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await user.click(await dialog.findByRole('button', { name: 'Copy report' }))
    expect(await screen.findByText(/^This browser does not allow copying\. Select the text/)).toBeInTheDocument()
  })

  it('can be stopped before anything has arrived, and say nothing of what stays there', async () => {
    const { user } = withTransfers([aTransfer()])
    await user.click((await table()).getByRole('button', { name: 'Details' }))
    await user.click(await screen.findByRole('button', { name: 'Stop transfer…' }))
    const question = within(await screen.findByRole('dialog', { name: 'Stop the transfer to South-Clinic?' }))
    expect(question.getByText(/will not arrive/)).toHaveTextContent(
      /^1 scan will not arrive; what was copied of them is deleted\.$/,
    )
  })

  it('begin at nothing where their images are not counted yet', async () => {
    const [first] = aTransfer().scans
    withTransfers([aTransfer({ scans: [{ ...first!, images: 0, imagesDone: 0 }] })])
    expect((await table()).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0')
  })

  it.each([
    ['Done', 'Held'],
    ['Failed', 'Held'],
    ['Running', 'Running'],
  ] as const)('wait for a look where every other scan is %s: %s', async (state, said) => {
    const [first] = aTransfer().scans
    const scans = [
      { ...first!, held: { id: anId(7), pictures: 2 } },
      { ...first!, seriesUID: '2.25.201', state },
    ]
    withTransfers([aTransfer({ state: 'Running', scans })])
    expect((await table()).getByText(said)).toBeVisible()
  })

  it('are told to be missing where they could not be had, without a table of none [8.03]', async () => {
    withTransfers(new CallError(404, 'NOT_FOUND', 'There are no transfers here.'))
    expect(await screen.findByText('There are no transfers here.')).toBeVisible()
    expect(screen.queryByRole('table', { name: 'Transfers' })).not.toBeInTheDocument()
  })
})
