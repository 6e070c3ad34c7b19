import { account } from '@dmp/contract'
import { leaksIn } from './canaries.ts'
import { startServer } from './server.ts'

describe('the search for secrets in logs', () => {
  it.each([
    ['a password', 'Correct horse 1!', '{"msg":"refused Correct horse 1!"}'],
    ['a password with quotes, as JSON writes it', 'Corr"ect horse 1!', '{"msg":"refused Corr\\"ect horse 1!"}'],
    ['a code', '123456', '{"msg":"code 123456 was wrong"}'],
  ])('finds %s [P23]', (_what, word, line) => {
    expect(leaksIn(['{"msg":"request"}', line], new Map([[word, 'secret']]))).toEqual([
      expect.stringMatching(/^secret in: /),
    ])
  })

  it('does not take a part of an instant for a code', () => {
    expect(leaksIn(['{"time":1795123456543,"ms":0.123456}'], new Map([['123456', 'code']]))).toEqual([])
  })

  it('ends a test whose server logged what was sent to it [P23]', async () => {
    const server = await startServer()
    const password = 'never to be logged 1!'
    await server.call(account.login, { ClientId: 'dmp-web', email: 'staff@north.example', password })
    server.deps.log.warn({ reason: `somebody tried ${password}` }, 'a careless line')
    await expect(server.close()).rejects.toThrow('password in: ')
  })
})
