import * as complaint from '@dmp/contract/complaint'
import * as organization from '@dmp/contract/organization'
import { aComplaint, anId, complaintSeverities, complaintStatuses } from '@dmp/contract/examples'
import { CallError, refresh, useAct, useCan, useData, useLookup, useUser } from '@dmp/kit'
import { Screen } from '@dmp/kit/screen'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { queryClient, updateCache } from '../transport/queryClient.ts'

const id = anId(10)
function Detail({ onDone = () => {} }: { onDone?: () => void }) {
  const item = useData(complaint.get, { id })
  const { act, busy, error } = useAct(complaint.updateStatus, {
    refreshes: [complaint.listSeverities, complaint.list],
    onDone,
  })
  return (
    <>
      <p>status {item.currentStatus}</p>
      <button
        type="button"
        disabled={busy}
        onClick={() => void act({ id, statusId: complaintStatuses[1]?.id ?? '', comment: 'x' })}
      >
        change
      </button>
      {error && <p>failed: {error.message}</p>}
    </>
  )
}
function Severities() {
  return <p>{useLookup(complaint.listSeverities, {}).data?.length} severities</p>
}
const page = (onDone?: () => void) => (
  <Screen title="Detail">
    <Detail {...(onDone ? { onDone } : {})} />
  </Screen>
)

describe('reading', () => {
  it('shows that something is gone, and not how it was, once a later answer says so [8.03]', async () => {
    let isGone = false
    renderScreen(page(), {
      at: '/',
      answers: [
        answer(complaint.get, () => (isGone ? new CallError(404, 'NOT_FOUND', 'This is gone.') : aComplaint({ id }))),
      ],
    })
    expect(await screen.findByText('status New')).toBeVisible()
    isGone = true
    refresh([complaint.get])
    expect(await screen.findByText('This is gone.')).toBeVisible()
    expect(screen.queryByText('status New')).not.toBeInTheDocument()
  })

  it('asks again for a first answer that is on its way while something changes [8.09]', async () => {
    const early = Promise.withResolvers<void>()
    const { calls } = renderScreen(<Severities />, {
      at: '/',
      answers: [
        answer(complaint.listSeverities, async () => {
          const isFirst = calls(complaint.listSeverities).length === 1
          if (isFirst) await early.promise
          return isFirst ? [] : [...complaintSeverities]
        }),
      ],
    })
    await waitFor(() => expect(calls(complaint.listSeverities)).toHaveLength(1))
    refresh([complaint.listSeverities])
    early.resolve()
    expect(await screen.findByText(`${complaintSeverities.length} severities`)).toBeVisible()
  })

  it('tries once more when nothing came back, and only once [P28]', async () => {
    const { calls } = renderScreen(page(), {
      at: '/',
      answers: [answer(complaint.get, new CallError(0, 'UNREACHABLE', ''))],
    })
    expect(await screen.findByRole('alert', {}, { timeout: 10_000 })).toHaveTextContent(
      'The server cannot be reached right now.',
    )
    expect(calls(complaint.get)).toHaveLength(2)
  })

  it('shows what it has for five seconds, and asks again afterwards [P28]', async () => {
    const now = jest.spyOn(Date, 'now')
    function Twice() {
      const [isShown, setShown] = useState(true)
      return (
        <>
          <button type="button" onClick={() => setShown(!isShown)}>
            turn
          </button>
          {isShown && page()}
        </>
      )
    }
    const { user, calls } = renderScreen(<Twice />, { at: '/', answers: [answer(complaint.get, aComplaint({ id }))] })
    const turn = () => user.click(screen.getByRole('button', { name: 'turn' }))
    await screen.findByText('status New')
    const begun = Date.now()
    for (const [laterMs, asked] of [
      [4000, 1],
      [6000, 2],
    ] as const) {
      await turn()
      now.mockReturnValue(begun + laterMs)
      await turn()
      await screen.findByText('status New')
      expect(calls(complaint.get)).toHaveLength(asked)
    }
    now.mockRestore()
  })

  it('heals by itself where the second try works [P28]', async () => {
    let tries = 0
    renderScreen(page(), {
      at: '/',
      answers: [
        answer(complaint.get, () =>
          ++tries === 1 ? new CallError(503, 'NOT_READY', 'Starting.') : aComplaint({ id }),
        ),
      ],
    })
    expect(await screen.findByText('status New', {}, { timeout: 10_000 })).toBeVisible()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('does not repeat what was answered: 404 stays 404 [8.02]', async () => {
    const { calls } = renderScreen(page(), {
      at: '/',
      answers: [answer(complaint.get, new CallError(404, 'NOT_FOUND', 'There is no such complaint.'))],
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('There is no such complaint.')
    expect(calls(complaint.get)).toHaveLength(1)
  })

  it('without suspense says what it has, and does not call while it is not enabled', async () => {
    function Lookup({ enabled }: { enabled: boolean }) {
      const { data, isPending, error } = useLookup(organization.datastoreExists, { id }, { enabled })
      return (
        <p>{isPending ? 'asking' : data ? `exists ${data.organizationExists}` : (error?.message ?? 'not asked')}</p>
      )
    }
    const line = answer(organization.datastoreExists, { organizationExists: true })
    const { calls, unmount } = renderScreen(<Lookup enabled={false} />, { at: '/', as: 'super_admin', answers: [line] })
    expect(screen.getByText('not asked')).toBeVisible()
    expect(calls(organization.datastoreExists)).toEqual([])
    unmount()
    renderScreen(<Lookup enabled />, { at: '/', as: 'super_admin', answers: [line] })
    expect(screen.getByText('asking')).toBeVisible()
    expect(await screen.findByText('exists true')).toBeVisible()
  })
})

describe('changing', () => {
  it('shows the answer of the change and does not ask for it again [4.01, P24]', async () => {
    const onDone = jest.fn()
    let status = 'New'
    const { user, calls } = renderScreen(page(onDone), {
      at: '/',
      as: 'super_admin',
      answers: [
        answer(complaint.get, () => aComplaint({ id, currentStatus: status })),
        answer(complaint.updateStatus, () => {
          status = 'OnHold'
          return aComplaint({ id, currentStatus: status })
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'change' }))
    expect(await screen.findByText('status OnHold')).toBeVisible()
    expect(calls(complaint.get)).toHaveLength(1)
    expect(onDone).toHaveBeenCalledTimes(1)
  })

  it('asks the named calls again where they are shown [4.01]', async () => {
    const { user, calls } = renderScreen(
      <>
        <Severities />
        {page()}
      </>,
      {
        at: '/',
        as: 'super_admin',
        answers: [
          answer(complaint.listSeverities, []),
          answer(complaint.get, aComplaint({ id })),
          answer(complaint.updateStatus, aComplaint({ id, currentStatus: 'OnHold' })),
        ],
      },
    )
    await user.click(await screen.findByRole('button', { name: 'change' }))
    expect(await screen.findByText('status OnHold')).toBeVisible()
    await waitFor(() => expect(calls(complaint.listSeverities)).toHaveLength(2))
  })

  it('forgets the answers for other inputs, which may be about the same thing [4.01]', () => {
    const upper = { id: id.toUpperCase() }
    queryClient.setQueryData([complaint.get.name, upper], aComplaint({ id }))
    updateCache(complaint.updateStatus, {
      input: { id, statusId: anId(1), comment: 'x' },
      answer: aComplaint({ id, currentStatus: 'OnHold' }),
      // Its answer is here: to name it once more asks for nothing.
      refreshes: [complaint.get],
    })
    const cached = (input: { id: string }) => queryClient.getQueryData([complaint.get.name, input])
    expect([cached(upper), cached({ id })]).toEqual([undefined, aComplaint({ id, currentStatus: 'OnHold' })])
    queryClient.clear()
  })

  it('is made once, whatever happens, and says why it failed [8.03, P28]', async () => {
    const onDone = jest.fn()
    const { user, calls } = renderScreen(page(onDone), {
      at: '/',
      as: 'super_admin',
      answers: [
        answer(complaint.get, aComplaint({ id })),
        answer(complaint.updateStatus, new CallError(0, 'UNREACHABLE', '')),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'change' }))
    expect(await screen.findByText('failed: The server cannot be reached right now. Please try again.')).toBeVisible()
    expect(calls(complaint.updateStatus)).toHaveLength(1)
    expect(onDone).not.toHaveBeenCalled()
  })

  it.each([
    ['CHANGED_MEANWHILE', 'Somebody changed it.'],
    ['UNCHANGED', 'It is resolved already.'],
    ['DECIDED', 'It was decided already.'],
  ])('that somebody else was faster with shows what is true now: %s [8.03]', async (code, sentence) => {
    let status = 'New'
    const { user } = renderScreen(page(), {
      at: '/',
      as: 'super_admin',
      answers: [
        answer(complaint.get, () => aComplaint({ id, currentStatus: status })),
        answer(complaint.updateStatus, () => {
          status = 'Resolved'
          return new CallError(409, code, sentence)
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'change' }))
    expect(await screen.findByText('status Resolved')).toBeVisible()
    expect(screen.getByText(`failed: ${sentence}`)).toBeVisible()
  })
})

describe('what the viewer may', () => {
  function Rights() {
    return (
      <p>
        {[useCan(complaint.list), useCan(organization.activate), useCan('session'), useCan('nothing')].join(' ')}{' '}
        {useUser().roleDisplayName}
      </p>
    )
  }

  it.each([
    ['super_admin', 'true true true true Super Administrator'],
    ['sys_admin', 'true true true true System Administrator'],
    ['staff', 'true false true true Staff'],
  ] as const)('comes from the policy of %s and nowhere else [6.02]', (role, text) => {
    renderScreen(<Rights />, { at: '/', as: role })
    expect(screen.getByText(text)).toBeVisible()
  })
})
