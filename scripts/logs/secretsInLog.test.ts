import { secretsInLog } from './secretsInLog.ts'

describe('secrets of a run in a log', () => {
  const secrets = ['DemoPassw0rd!', 'eyJhbGciOi.payload.signature', '482913']

  it.each(['refused DemoPassw0rd!', '{"authorization":"Bearer eyJhbGciOi.payload.signature"}', '{"code":"482913"}'])(
    'are found in %s, and not repeated [P23]',
    (line) => {
      const [found] = secretsInLog(`{"msg":"request"}\n${line}\n`, secrets)
      expect(found).toContain('…')
      for (const secret of secrets) expect(found).not.toContain(secret)
    },
  )

  it('are not what the demo says of its accounts when it starts', () => {
    expect(
      secretsInLog('Demo accounts, all with the password DemoPassw0rd!\n  staff@north.example      staff', secrets),
    ).toEqual([])
  })

  it('are not seen where there are none, nor in the digits of an instant', () => {
    expect(secretsInLog('{"time":1795482913543,"route":"/api/account/login"}', secrets)).toEqual([])
  })
})
