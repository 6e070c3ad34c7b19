import * as complaint from '@dmp/contract/complaint'
import { aComplaint, anId } from '@dmp/contract/examples'
import { CallError, forgetFailures, useData, useLookup } from '@dmp/kit'
import { Screen } from '@dmp/kit/screen'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { queryClient } from '../transport/queryClient.ts'

const id = anId(10)
function Detail() {
  return <p>status {useData(complaint.get, { id }).currentStatus}</p>
}

describe('trying again', () => {
  it('forgets what failed, and keeps the rest [8.03]', async () => {
    const lists = {
      retry: false,
      queryFn: async () => {
        throw new CallError(500, 'BROKEN', 'no')
      },
    }
    queryClient.setQueryData(['good'], 1)
    await queryClient.prefetchQuery({ queryKey: ['bad'], ...lists })
    forgetFailures()
    expect([queryClient.getQueryData(['good']), queryClient.getQueryState(['bad'])]).toEqual([1, undefined])
    queryClient.clear()
  })

  it('tells whatever else shows the same answer, such as the title [8.02, 8.03]', async () => {
    let isBroken = true
    function Page() {
      const { data } = useLookup(complaint.get, { id })
      return (
        <Screen title={data ? `Complaint ${data.complaintNumber}` : 'Complaint'}>
          <Detail />
        </Screen>
      )
    }
    const answers = [
      answer(complaint.get, () =>
        isBroken ? new CallError(500, 'FAILED', 'The server failed.') : aComplaint({ id, complaintNumber: 'C-000007' }),
      ),
    ]
    const { user, calls } = renderScreen(<Page />, { at: '/', answers })
    expect(await screen.findByRole('alert', {}, { timeout: 10_000 })).toHaveTextContent('The server failed.')
    expect(screen.getByRole('heading')).toHaveTextContent(/^Complaint$/)
    isBroken = false
    const before = calls(complaint.get).length
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('status New')).toBeVisible()
    expect(screen.getByRole('heading')).toHaveTextContent('Complaint C-000007')
    expect(calls(complaint.get)).toHaveLength(before + 1)
  })
})
