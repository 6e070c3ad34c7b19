import * as complaint from '@dmp/contract/complaint'
import { aComplaint, anId, complaintStatuses } from '@dmp/contract/examples'
import { useAct } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'

const id = anId(10)

it('a change is made once by two clicks of which the second comes before the button is off', async () => {
  const item = Promise.withResolvers<ReturnType<typeof aComplaint>>()
  let [clicks, underWay] = [0, 0]
  const change = async (answers: readonly Promise<unknown>[]) => {
    clicks += 1
    underWay += 1
    await Promise.all(answers)
    underWay -= 1
  }
  function Twice() {
    const { act, busy } = useAct(complaint.updateStatus, { refreshes: [complaint.list] })
    const input = { id, statusId: complaintStatuses[1]?.id ?? '', comment: 'x' }
    return (
      <button type="button" onClick={() => void change([input, { ...input }, { ...input, comment: 'y' }].map(act))}>
        {busy ? 'changing' : 'change'}
      </button>
    )
  }
  const { user, calls } = renderScreen(<Twice />, {
    at: '/',
    as: 'super_admin',
    answers: [answer(complaint.updateStatus, () => item.promise)],
  })
  await user.click(screen.getByRole('button', { name: 'change' }))
  await waitFor(() => expect(calls(complaint.updateStatus).map(({ comment }) => comment)).toEqual(['x', 'y']))
  // That of this test, and that which every change of a screen has in tests.
  await waitFor(() => expect(clicks).toBe(2))
  item.resolve(aComplaint({ id }))
  await waitFor(() => expect(underWay).toBe(0))
  expect(calls(complaint.updateStatus)).toHaveLength(2)
  await user.click(await screen.findByRole('button', { name: 'change' }))
  await waitFor(() =>
    expect(
      calls(complaint.updateStatus)
        .slice(2, 4)
        .map(({ comment }) => comment),
    ).toEqual(['x', 'y']),
  )
})
