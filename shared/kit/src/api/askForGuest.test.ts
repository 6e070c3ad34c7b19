import { askForGuest, session, sessionTexts } from '@dmp/kit'
import { placeSettings, signInAs, someTokens } from '@dmp/kit/testing'

const asked = { name: 'GET /Complaint/list', method: 'GET', path: '/Complaint/list', query: { page: '2' }, body: {} }
const change = { ...asked, name: 'POST /Complaint/add', method: 'POST', path: '/Complaint/add', query: {} }

beforeEach(() => {
  placeSettings()
  signInAs('staff')
})

/** The requests, each of which nobody answers. */
function hang(): Request[] {
  const requests: Request[] = []
  globalThis.fetch = (resource, init) => {
    requests.push(new Request(resource, init))
    return new Promise(() => undefined)
  }
  return requests
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('a request of a guest', () => {
  it('has the session of the page, and its reply is handed over as it came [P30]', async () => {
    const requests: Request[] = []
    const reply = { data: [{ any: 'thing' }], total: 1 }
    globalThis.fetch = async (resource, init) => {
      requests.push(new Request(resource, init))
      return Response.json(reply)
    }
    expect(await askForGuest(asked, new AbortController().signal)).toEqual(reply)
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET http://localhost/api/Complaint/list?page=2',
    ])
    expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${someTokens().accessToken}`)
  })

  it('is stopped by the guest, and when the person leaves if it reads; a change that was asked for is made [P23]', async () => {
    const stop = new AbortController()
    const requests = hang()
    void askForGuest(asked, stop.signal).catch(() => undefined)
    void askForGuest(asked, new AbortController().signal).catch(() => undefined)
    void askForGuest(change, new AbortController().signal).catch(() => undefined)
    await settle()
    stop.abort()
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false, false])
    void session.end()
    expect(requests.slice(0, 3).map(({ signal }) => signal.aborted)).toEqual([true, true, false])
  })

  it('with 401 ends the session of the page [8.06]', async () => {
    globalThis.fetch = async () => Response.json({ code: 'NOT_SIGNED_IN', message: 'No.' }, { status: 401 })
    await expect(askForGuest(asked, new AbortController().signal)).rejects.toMatchObject({ status: 401 })
    expect(session.get()).toMatchObject({ tokens: null, endedBecause: sessionTexts.notValid })
  })
})
