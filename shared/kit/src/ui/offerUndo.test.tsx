import * as businessUser from '@dmp/contract/businessUser'
import { aUser } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { Button, offerUndo } from '@dmp/kit/ui'
import { answer, renderScreen, signInAs, type Line, type Role } from '@dmp/kit/testing'
import { act, screen, waitFor } from '@testing-library/react'

const item = aUser('staff')
const Leave = ({ isFinal = false }) => {
  const undo = {
    by: businessUser.activateUser,
    input: { id: item.id },
    refreshes: [businessUser.list],
    toText: ({ email }: { email: string }) => `${email} is back`,
  }
  return <Button onClick={() => offerUndo('Gone', isFinal ? undefined : undo)}>Let go</Button>
}
const letGo = async (as: Role, answers: readonly Line[] = [], ui = <Leave />) => {
  const drawn = renderScreen(ui, { at: '/', as, answers })
  await drawn.user.click(screen.getByRole('button', { name: 'Let go' }))
  expect(await screen.findByText('Gone')).toBeVisible()
  return drawn
}
const undoButton = () => screen.queryByRole('button', { name: 'Undo' })

describe('Undo', () => {
  it('makes the call that gives back what was there, and says that it is back', async () => {
    const { user, calls } = await letGo('admin', [answer(businessUser.activateUser, item)])
    await user.click(undoButton()!)
    expect(await screen.findByText(`${item.email} is back`)).toBeVisible()
    expect(calls(businessUser.activateUser)).toEqual([{ id: item.id }])
    expect(undoButton()).toBeNull()
    expect(screen.queryByText('Gone')).toBeNull()
  })

  it.each([409, 403])('says what it was refused with (%i), and leaves the page as it is', async (status) => {
    const refused = new CallError(status, 'UNCHANGED', 'Somebody was quicker.')
    const { user, path } = await letGo('admin', [answer(businessUser.activateUser, refused)])
    await user.click(undoButton()!)
    expect(await screen.findByRole('alert')).toHaveTextContent('Somebody was quicker.')
    expect(path()).toBe('/')
    expect(screen.queryByText(`${item.email} is back`)).toBeNull()
  })

  it.each([
    ['to nobody who may not make that call [6.02]', 'staff', false],
    ['to nobody where there is no such call', 'admin', true],
  ] as const)('is offered %s', async (_, as, isFinal) => {
    await letGo(as, [], <Leave isFinal={isFinal} />)
    expect(undoButton()).toBeNull()
  })

  it('ends with the session, so that the next person takes nothing back [P23]', async () => {
    await letGo('admin')
    expect(undoButton()).toBeVisible()
    act(() => signInAs('admin', { email: 'next@north.example' }))
    await waitFor(() => expect(undoButton()).toBeNull())
    expect(screen.queryByText('Gone')).toBeNull()
  })
})
