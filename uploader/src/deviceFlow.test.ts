import { askForApiToken, endApiToken } from './deviceFlow.ts'
import { exitCodes } from './stop.ts'

const server = new URL('http://dmp.test')
const begun = {
  device_code: 'kept',
  user_code: 'BCDF-GHJK',
  verification_uri: 'http://dmp.test/account/device',
  expires_in: 600,
  interval: 5,
}
const approved = { access_token: 'dmp_x', name: 'CT', organization: 'North', expires_in: 86_400 }
const error = (name: string, more: object = {}) => Response.json({ error: name, ...more }, { status: 400 })
const isPending = () => error('authorization_pending')
const isLost = () => Promise.reject(new TypeError('fetch failed'))
type Answer = () => Response | Promise<Response>

afterEach(() => jest.restoreAllMocks())

/** A server that answers so, one after the other, the last one again and again; pauses take no time. */
async function ask(...answers: readonly Answer[]) {
  const forms: string[] = []
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    forms.push(String(init?.body as URLSearchParams))
    return forms.length === 1 ? Response.json(begun) : answers[Math.min(forms.length - 2, answers.length - 1)]!()
  })
  const said: string[] = []
  const pauses: number[] = []
  const outcome: unknown = await askForApiToken(server, (sentence) => void said.push(sentence), {
    pause: async (ms) => void pauses.push(ms / 1000),
  }).catch((cause: unknown) => cause)
  return { outcome, said, pauses, forms }
}

describe('the device flow of the uploader (RFC 8628)', () => {
  it('proposes the name that an administrator has given before, at a renewal with the day behind it [P45]', async () => {
    const proposed: (string | null)[] = []
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
      const form = init?.body as URLSearchParams
      if (form.has('name')) proposed.push(form.get('name'))
      return Response.json(form.has('name') ? begun : approved)
    })
    for (const isRenewal of [false, true])
      await askForApiToken(server, () => undefined, {
        pause: async () => undefined,
        isRenewal,
        earlierName: 'South CT',
      })
    expect(proposed).toEqual(['South CT', expect.stringMatching(/^South CT \d{4}-\d\d-\d\d$/)])
  })

  it('shows address and code, asks as often as it is told, and gets an API token [P45]', async () => {
    const { outcome, said, pauses, forms } = await ask(isPending, isPending, () => Response.json(approved))
    expect(outcome).toMatchObject({ apiToken: 'dmp_x', name: 'CT', organization: 'North' })
    expect(said.join(' ')).toContain('http://dmp.test/account/device and enter the code BCDF-GHJK')
    expect(said.join(' ')).not.toContain('kept')
    expect(pauses).toEqual([5, 5, 5])
    expect(forms[0]).toContain('scope=upload')
    expect(forms[1]).toContain('device_code=kept')
  })

  it('slows down when it is told to, and by a lost line or a busy server [P45]', async () => {
    const busy = () => new Response('', { status: 503, headers: { 'retry-after': '40' } })
    const crowded = () => new Response('', { status: 429 })
    const failing = () => new Response('', { status: 500 })
    expect((await ask(crowded, failing, () => Response.json(approved))).pauses).toEqual([5, 10, 20])
    const { pauses } = await ask(
      () => error('slow_down'),
      isPending,
      isLost,
      isPending,
      busy,
      () => Response.json(approved),
    )
    expect(pauses).toEqual([5, 10, 10, 20, 20, 40])
  })

  it.each([
    ['access_denied', 'was not connected: Told by the server.'],
    ['expired_token', 'Nobody entered the code in time.'],
    ['invalid_grant', 'did not arrive'],
    ['invalid_request', 'Told by the server.'],
  ])('ends at %s and says what became of it [P45]', async (name, words) => {
    const { outcome, pauses } = await ask(() => error(name, { error_description: 'Told by the server.' }))
    expect(outcome).toMatchObject({
      message: expect.stringContaining(words) as string,
      exitCode: exitCodes.notSignedIn,
    })
    expect(pauses).toHaveLength(1)
  })

  it('ends by itself when the code must be over, also without a line [P28, P45]', async () => {
    for (const answer of [isPending, isLost]) {
      const { outcome, pauses } = await ask(answer)
      expect(outcome).toMatchObject({ message: expect.stringContaining('in time') as string })
      expect(pauses.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(660)
    }
  })

  it('ends where the server gives no code, or approves without an API token [P45]', async () => {
    jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ ...begun, device_code: undefined }))
    await expect(askForApiToken(server, () => undefined)).rejects.toThrow('The server responded with 200.')
    const { outcome } = await ask(() => Response.json({ ...approved, access_token: '' }))
    expect(outcome).toMatchObject({
      message: expect.stringContaining('approved without giving an API token') as string,
    })
  })

  it('has ten minutes, and asks every five seconds, where the server does not say [P45]', async () => {
    const { expires_in: _seconds, interval: _every, ...bare } = begun
    const fetching = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(approved))
    fetching.mockResolvedValueOnce(Response.json(bare))
    const [said, pauses]: [string[], number[]] = [[], []]
    await askForApiToken(server, (sentence) => void said.push(sentence), { pause: async (ms) => void pauses.push(ms) })
    expect([said.at(-1), pauses]).toEqual([expect.stringContaining('within 10 minutes'), [5000]])
  })

  it('tells an older server from one that refuses [P45]', async () => {
    for (const [status, words] of [
      [404, 'an older version'],
      [429, 'Told by the server.'],
    ] as const) {
      jest
        .spyOn(globalThis, 'fetch')
        .mockImplementation(async () => Response.json({ message: 'Told by the server.' }, { status }))
      await expect(askForApiToken(server, () => undefined)).rejects.toThrow(words)
      await expect(endApiToken(server, 'dmp_x')).rejects.toThrow('did not end the API token')
    }
  })
})
