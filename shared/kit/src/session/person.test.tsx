import * as complaint from '@dmp/contract/complaint'
import { aComplaint, aUser } from '@dmp/contract/examples'
import { call, followTabs, session, useAct } from '@dmp/kit'
import { returnTo, toReturnState } from '@dmp/kit/router'
import { answer, renderScreen, signInAs } from '@dmp/kit/testing'
import { notify, RecentNotices, TaskTray, tasks } from '@dmp/kit/ui'
import * as account from '@dmp/contract/account'
import { act, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../transport/queryClient.ts'
import { complete, storageEvent } from './sessionInTests.ts'

const next = { email: 'next@south.example' }
const upload = { id: 'upload', title: 'Upload of Anna', url: '/scan', percent: 4, state: 'running' } as const

/** Every way in which another person comes to the page of this tab. */
const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['signs in after a sign-out', async () => (await session.end(), session.begin(complete))],
  ['signs in after the session ended with a reason', async () => (await session.end('Idle.'), session.begin(complete))],
  ['signs in over the session', () => session.begin(complete)],
  [
    'signs in in another tab',
    async () => {
      const stop = followTabs({ onOtherUser: () => undefined })
      localStorage.setItem('user', JSON.stringify({ ...session.get().user, ...next }))
      storageEvent('user')
      stop()
    },
  ],
]

describe.each(ways)('a person who %s', (_way, come) => {
  const draw = () =>
    renderScreen(
      <>
        <RecentNotices />
        <TaskTray />
      </>,
      { at: '/', answers: [answer(account.logout, null), answer(account.profile, aUser('admin', next))] },
    )

  it('finds no notice, task or answer of the one before [P02, P23]', async () => {
    const { user } = draw()
    act(() => {
      notify.success('Scan of Anna Sample deleted')
      tasks.put(upload)
      queryClient.setQueryData(['GET /Scan/list'], 'Anna')
    })
    expect(await screen.findByText('Scan of Anna Sample deleted')).toBeVisible()
    await act(come)
    expect(session.get().user?.email).toBe(next.email)
    await user.click(screen.getByRole('button', { name: 'Recent notifications' }))
    expect(await screen.findByText('No notifications yet.')).toBeInTheDocument()
    expect(document.body).not.toHaveTextContent('Anna')
    expect(queryClient.getQueryData(['GET /Scan/list'])).toBeUndefined()
  })

  it('is not led to the address where the one before was [P23]', async () => {
    draw()
    const state = toReturnState({ pathname: '/user', search: '?searchTerm=anna' })
    expect(returnTo(state)).toBe('/user?searchTerm=anna')
    await act(come)
    expect(returnTo(state)).toBe('/dashboard')
  })
})

describe('what a person began', () => {
  it('ends with them: an answer that comes later is neither kept nor told to the next one [P02, P23]', async () => {
    let arrive: (() => void) | undefined
    const held = new Promise<void>((resolve) => (arrive = resolve))
    function Change() {
      const onDone = () => notify.success('Severity of Anna')
      const { act: change, busy } = useAct(complaint.updateSeverity, { refreshes: [complaint.list], onDone })
      const input = { id: aComplaint().id, severityId: aComplaint().id, seenUpdatedDate: aComplaint().updatedDate }
      return (
        <button disabled={busy} onClick={() => void change(input)}>
          Change
        </button>
      )
    }
    const { user, made } = renderScreen(<Change />, {
      at: '/',
      answers: [answer(complaint.updateSeverity, () => held.then(() => aComplaint())), answer(account.logout, null)],
    })
    await user.click(screen.getByRole('button', { name: 'Change' }))
    await waitFor(() => expect(made).toHaveLength(1))
    const late = jest.fn()
    void call(complaint.updateSeverity, { id: 'x', severityId: 'y' }).then(late, late)
    await act(() => session.end())
    act(() => signInAs('admin', next))
    await act(async () => {
      arrive?.()
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
    expect(late).not.toHaveBeenCalled()
    expect(document.body).not.toHaveTextContent('Anna')
    expect(queryClient.getQueryCache().getAll()).toEqual([])
  })

  it('does not end the session of the next one, nor is it asked again with their token [P02, 8.06]', async () => {
    let arrive: (() => void) | undefined
    const held = new Promise<void>((resolve) => (arrive = resolve))
    renderScreen(null, { at: '/' })
    const authorizations: (string | null)[] = []
    globalThis.fetch = async (resource, init) => {
      authorizations.push(new Request(resource, init).headers.get('authorization'))
      await held
      return Response.json({ code: 'NOT_SIGNED_IN', message: 'No.' }, { status: 401 })
    }
    const late = jest.fn()
    void call(complaint.get, { id: aComplaint().id }).then(late, late)
    await waitFor(() => expect(authorizations).toHaveLength(1))
    act(() => signInAs('admin', next))
    arrive?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([authorizations.length, session.get().user?.email, late.mock.calls]).toEqual([1, next.email, []])
  })
})
