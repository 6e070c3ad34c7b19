import { inbox } from '@dmp/contract'
import type { InboxSetting } from '@dmp/contract/inbox'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const settings: InboxSetting[] = [
  { kind: 'ScanArrived', choice: 'Here' },
  { kind: 'NewSignIn', choice: 'AtOnce' },
]
const draw = (...answers: Line[]) =>
  renderScreen(<App notFound={null} />, {
    at: '/account/inbox',
    answers: [answer(inbox.listChoices, settings), ...answers],
  })
const select = (name: string) => screen.findByRole('combobox', { name })

describe('what to be told', () => {
  it('is chosen by kind, with what can be chosen, and kept at once [P47]', async () => {
    const { user, calls } = draw(
      answer(inbox.choose, ({ kind, choice }) => settings.map((one) => (one.kind === kind ? { kind, choice } : one))),
    )
    const arrivals = await select('Scans arrive')
    expect(
      within(arrivals)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Do not tell me', 'In the inbox', 'Inbox and mail at once', 'Inbox and a daily mail'])
    const signIns = await select('Your account is used in a new place')
    expect(signIns).toBeDisabled()
    expect(signIns).toHaveDisplayValue('Inbox and mail at once')
    await user.selectOptions(arrivals, 'Daily')
    await waitFor(() => expect(arrivals).toHaveValue('Daily'))
    expect(calls(inbox.choose)).toEqual([{ kind: 'ScanArrived', choice: 'Daily' }])
  })

  it('leaves out a kind that only a newer server knows [P47]', async () => {
    // The kit says to developers that the answer is not what it knows.
    jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    draw(answer(inbox.listChoices, () => [...settings, { kind: 'SomethingNewer', choice: 'Here' }] as never))
    expect(await select('Scans arrive')).toBeVisible()
    expect(screen.getAllByRole('combobox')).toHaveLength(settings.length)
  })

  it('stays as it was when it could not be kept, and says so', async () => {
    const { user } = draw(answer(inbox.choose, new CallError(500, 'FAILED', 'Something went wrong.')))
    const arrivals = await select('Scans arrive')
    await user.selectOptions(arrivals, 'Off')
    expect(await screen.findByText('Something went wrong.')).toBeVisible()
    expect(arrivals).toHaveValue('Here')
  })
})
