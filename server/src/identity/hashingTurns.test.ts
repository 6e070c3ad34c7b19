import { Worker } from 'node:worker_threads'
import { account } from '@dmp/contract'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { startServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ DMP_HASHING_PARALLEL: '1' })
})
afterAll(() => server.close())

/** Hashing threads that begin when they are let go. */
function holdHashing(): () => void {
  const gate = Promise.withResolvers<void>()
  const { postMessage } = Worker.prototype
  jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, task: { kind?: string }) {
    if (task.kind === 'verify') void gate.promise.then(() => postMessage.call(this, task))
    else postMessage.call(this, task)
  })
  return gate.resolve
}

it('sign-ins from one address do not stand before those from another [P04, P18]', async () => {
  const { hasher } = server.deps
  const isRight = hasher.isRight.bind(hasher)
  const [begun, done]: [string[], string[]] = [[], []]
  jest.spyOn(hasher, 'isRight').mockImplementation(async (password, hashed) => {
    begun.push(password)
    return isRight(password, hashed).finally(() => done.push(password))
  })
  const signIn = (remoteAddress: string, email: string, password: string) =>
    server.call(account.login, { ClientId: 'dmp-web', email, password }, { remoteAddress })
  const hasBegun = async (count: number): Promise<void> => {
    while (begun.length < count) await new Promise((again) => setTimeout(again, 5))
  }
  const release = holdHashing()
  const flood = Array.from({ length: 12 }, (_, n) =>
    signIn('10.6.0.1', `nobody${n}@north.example`, `A wrong one ${n}!`),
  )
  await hasBegun(12)
  const honest = signIn('10.6.0.2', 'staff@north.example', demoPassword)
  await hasBegun(13)
  release()
  expect((await honest).status).toBe(200)
  await Promise.all(flood)
  expect([done.length, done.indexOf(demoPassword) <= 2]).toEqual([13, true])
})
