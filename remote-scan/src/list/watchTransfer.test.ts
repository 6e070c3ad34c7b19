import { scan } from '@dmp/contract'
import { aTransfer } from '@dmp/contract/examples'
import { answer, placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { watchTransfer } from './watchTransfer.ts'

it('asks while its owner is here, and not once more when somebody else is [P02, P23]', async () => {
  jest.useFakeTimers()
  placeSettings()
  signInAs('staff')
  const { made } = serve([answer(scan.listTransfers, [aTransfer()])], '/api')
  void watchTransfer(aTransfer())
  await jest.advanceTimersByTimeAsync(3100)
  expect(made).toHaveLength(1)
  signInAs('admin')
  await jest.advanceTimersByTimeAsync(20_000)
  expect(made).toHaveLength(1)
  jest.useRealTimers()
})
