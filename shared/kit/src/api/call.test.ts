import * as complaint from '@dmp/contract/complaint'
import * as account from '@dmp/contract/account'
import * as organization from '@dmp/contract/organization'
import { aComplaint, aComplaintRow, anId } from '@dmp/contract/examples'
import { call, onForbidden, type CallError, session, sessionTexts } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs, someTokens } from '@dmp/kit/testing'
import { useSessionStore } from '../session/store.ts'

const id = anId(10)
/** A fetch that answers with this response; for what a table of answers cannot say. */
const answering = (respond: () => Response | Promise<Response>) => {
  const requests: Request[] = []
  globalThis.fetch = async (resource, init) => {
    requests.push(new Request(resource, init))
    return respond()
  }
  return requests
}
const failure = (promise: Promise<unknown>): Promise<CallError> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: CallError) => error,
  )

beforeEach(() => {
  placeSettings()
  signInAs('staff')
})

describe('a call', () => {
  it('goes to the API root plus the resource, with parameters in path, query and body [7.01, 7.24, 7.25]', async () => {
    const requests = answering(() => Response.json({ data: aComplaint() }))
    await call(complaint.updateStatus, { id, statusId: anId(1), comment: 'Done.' })
    await call(complaint.updateSeverity, { id, severityId: anId(2) })
    await call(complaint.get, { id })
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `PUT http://localhost/api/Complaint/updateStatus/${id}`,
      `PUT http://localhost/api/Complaint/updateSeverity/${id}?severityId=${anId(2)}`,
      `GET http://localhost/api/Complaint/get?id=${id}`,
    ])
    expect(await requests[0]?.json()).toEqual({ statusId: anId(1), comment: 'Done.' })
  })

  it('tells the state that a change was made on in a header, so that the properties are those of 7.24', async () => {
    const requests = answering(() => Response.json({ data: aComplaint() }))
    const seenUpdatedDate = '2026-05-05T09:00:00.000Z'
    await call(complaint.updateStatus, { id, statusId: anId(1), comment: 'Done.', seenUpdatedDate })
    await call(complaint.updateSeverity, { id, severityId: anId(2), seenUpdatedDate })
    expect(requests.map(({ headers }) => headers.get('Dmp-Seen-Updated-Date'))).toEqual([
      seenUpdatedDate,
      seenUpdatedDate,
    ])
    expect(await requests[0]?.json()).toEqual({ statusId: anId(1), comment: 'Done.' })
    expect(new URL(requests[1]?.url ?? '').search).toBe(`?severityId=${anId(2)}`)
    // A server at another origin would have to allow the header first.
    placeSettings({ apiRoot: 'https://api.example/v7/' })
    await call(complaint.updateStatus, { id, statusId: anId(1), comment: 'Done.', seenUpdatedDate })
    expect(requests[2]?.headers.has('Dmp-Seen-Updated-Date')).toBe(false)
    expect(await requests[2]?.json()).toEqual({ statusId: anId(1), comment: 'Done.' })
  })

  it('goes to any API root that the settings name [7.01]', async () => {
    placeSettings({ apiRoot: 'https://api.example/v7/' })
    const requests = answering(() => Response.json({ data: aComplaint() }))
    await call(complaint.get, { id })
    expect(requests[0]?.url).toBe(`https://api.example/v7/Complaint/get?id=${id}`)
  })

  it('carries JSON types and the Bearer token while the access token is valid [7.01]', async () => {
    const requests = answering(() => Response.json({ data: aComplaint() }))
    await call(complaint.get, { id })
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      accept: 'application/json',
      authorization: 'Bearer an-access-token',
    })
  })

  it('ends the session when the access token has ended, and goes on without the header [7.01, 8.06]', async () => {
    useSessionStore.setState({ tokens: someTokens({ expireDate: new Date(Date.now() - 1000).toISOString() }) })
    localStorage.removeItem('authData')
    const { made } = serve([answer(complaint.get, aComplaint()), answer(account.logout, null)], '/api')
    await expect(call(complaint.get, { id })).resolves.toMatchObject({ complaintNumber: 'C-000010' })
    expect(made.find(({ endpoint }) => endpoint === complaint.get)?.headers.has('authorization')).toBe(false)
    expect(session.get()).toMatchObject({
      tokens: null,
      endedBecause: 'Your session is not valid anymore. Please login again to use the application.',
    })
  })

  it('takes over a token that another tab renewed before it gives up [7.01, P08]', async () => {
    useSessionStore.setState({ tokens: someTokens({ expireDate: new Date(Date.now() - 1000).toISOString() }) })
    localStorage.setItem('authData', JSON.stringify(someTokens({ accessToken: 'theirs' })))
    const { made } = serve([answer(complaint.get, aComplaint())], '/api')
    await call(complaint.get, { id })
    expect(made[0]?.headers.get('authorization')).toBe('Bearer theirs')
    expect(session.isValid()).toBe(true)
  })

  it('needs no body in the answer where there is nothing to say [7.01]', async () => {
    answering(() => new Response(null, { status: 204 }))
    await expect(call(account.logout, { refreshToken: 'x' })).resolves.toBeNull()
  })

  it('has no Authorization header when nobody is signed in [7.01]', async () => {
    signInAs(null)
    const requests = answering(() => Response.json({ data: null }))
    await call(account.forgotPassword, { Email: 'a@b.example', ClientId: 'dmp-web' })
    expect(requests[0]?.headers.has('authorization')).toBe(false)
  })

  it('answers what is in data, and rows with their total for lists [7.01]', async () => {
    answering(() => Response.json({ data: [aComplaintRow()], total: 41 }))
    await expect(call(complaint.list, { page: 1 })).resolves.toEqual({ rows: [aComplaintRow()], total: 41 })
    answering(() => Response.json({ data: [aComplaintRow()] }))
    await expect(call(complaint.list, {})).resolves.toEqual({ rows: [aComplaintRow()] })
    // Of a server that answers something else, a list is empty.
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {})
    for (const reply of [null, 'text', 7, {}]) {
      answering(() => Response.json(reply))
      await expect(call(complaint.list, {})).resolves.toEqual({ rows: [] })
    }
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('unexpected response'))
    warn.mockRestore()
    answering(() => Response.json({ data: { organizationExists: true } }))
    await expect(call(organization.datastoreExists, { id })).resolves.toEqual({ organizationExists: true })
  })

  it('sends JSON text with every change, so that the JSON type is never a lie [7.01]', async () => {
    const requests = answering(() => Response.json({ data: { ...aComplaint() } }))
    await call(organization.activate, { id }).catch(() => undefined)
    expect(await requests[0]?.text()).toBe('{}')
  })
})

describe('a failed call', () => {
  it('carries the server’s code and message, the refused fields and the reference [8.02]', async () => {
    answering(() =>
      Response.json(
        { code: 'INVALID', message: 'Please check.', requestId: 'r-1', fields: [{ path: 'email', message: 'Taken.' }] },
        { status: 400 },
      ),
    )
    expect(await failure(call(complaint.get, { id }))).toMatchObject({
      status: 400,
      code: 'INVALID',
      message: 'Please check.',
      requestId: 'r-1',
      fields: [{ path: 'email', message: 'Taken.' }],
    })
  })

  it.each([
    [502, 'Bad Gateway', 'Bad Gateway'],
    [500, 'Unknown Error', 'The server responded with HTTP 500.'],
    [500, '', 'The server responded with HTTP 500.'],
  ])('without a body says the HTTP message and the reference (%i %j) [8.02]', async (status, statusText, message) => {
    answering(() => new Response('<html>', { status, statusText, headers: { 'x-request-id': 'r-2' } }))
    expect(await failure(call(complaint.get, { id }))).toMatchObject({ status, message, requestId: 'r-2' })
  })

  it('is not made without what its path needs', async () => {
    const requests = answering(() => Response.json({ data: null }))
    for (const missing of ['', null, undefined])
      await expect(
        call(complaint.updateStatus, { id: missing as string, statusId: anId(1), comment: 'x' }),
      ).rejects.toThrow('needs id')
    expect(requests).toEqual([])
  })

  it('leaves out of the query what is not there', async () => {
    const requests = answering(() => Response.json({ data: [], total: 0 }))
    await call(complaint.list, { page: undefined, search: null, sort: 'status' } as never)
    expect(new URL(requests[0]?.url ?? '').search).toBe('?sort=status')
  })

  it('that was given up by who made it is no failure of the server', async () => {
    const stop = new AbortController()
    globalThis.fetch = async () => {
      stop.abort()
      throw new DOMException('given up', 'AbortError')
    }
    expect((await failure(call(complaint.get, { id }, { signal: stop.signal }))).name).toBe('AbortError')
  })

  it('says what to do when nothing came back [8.02, P28]', async () => {
    answering(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await failure(call(complaint.get, { id }))).toMatchObject({
      status: 0,
      code: 'UNREACHABLE',
      message: 'The server cannot be reached right now. Please try again.',
    })
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    expect(await failure(call(complaint.get, { id }))).toMatchObject({
      status: 0,
      code: 'OFFLINE',
      message: 'You are offline. Check your connection and try again.',
    })
    jest.restoreAllMocks()
    answering(() => Promise.reject(new Error('odd')))
    expect(await failure(call(complaint.get, { id }))).toMatchObject({ message: 'An unknown error occurred' })
  })

  it.each([
    ['a read half a minute', () => call(complaint.get, { id }), 30_000],
    [
      'a change, which may carry an image, two minutes',
      () => call(complaint.updateSeverity, { id, severityId: anId(2) }),
      120_000,
    ],
  ])('is given up when nothing comes: %s [P28]', async (_what, make, patience) => {
    jest.useFakeTimers()
    answering(() => new Promise(() => {}))
    const ended = jest.fn()
    void failure(make()).then(ended)
    await jest.advanceTimersByTimeAsync(patience - 1000)
    expect(ended).not.toHaveBeenCalled()
    await jest.advanceTimersByTimeAsync(2000)
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ status: 0 }))
    jest.useRealTimers()
  })

  it('says when to come back [8.02, P19]', async () => {
    answering(() =>
      Response.json({ code: 'SLOW_DOWN', message: 'Slow down.' }, { status: 429, headers: { 'retry-after': '7' } }),
    )
    expect(await failure(call(complaint.get, { id }))).toMatchObject({ status: 429, retryAfter: 7 })
  })

  it('with 403 leads to the not-authorized page of its path’s module and action [8.01, 6.10]', async () => {
    const seen: string[] = []
    const stop = onForbidden((path) => seen.push(path))
    answering(() => Response.json({ code: 'FORBIDDEN', message: 'No.' }, { status: 403 }))
    await failure(call(complaint.updateStatus, { id, statusId: id, comment: 'x' }))
    // Whoever can do without the answer says so.
    expect(await failure(call(complaint.get, { id }, { isQuiet: true }))).toMatchObject({ status: 403 })
    stop()
    expect(seen).toEqual(['/not-authorized/Complaint/updateStatus'])
  })

  it('with 401 ends the session, except for public calls and wrong passwords [8.06, 7.40]', async () => {
    const refuse = (code: string) => answering(() => Response.json({ code, message: 'No.' }, { status: 401 }))
    refuse('WRONG_CREDENTIALS')
    await failure(call(account.login, { ClientId: 'c', email: 'a@b.example', password: 'x' }))
    expect(session.isValid()).toBe(true)
    refuse('WRONG_PASSWORD')
    await failure(call(account.changePassword, { oldPassword: 'a', newPassword: 'b', confirmNewPassword: 'b' }))
    expect(session.isValid()).toBe(true)
    refuse('NOT_SIGNED_IN')
    await failure(call(complaint.get, { id }))
    expect(session.get()).toMatchObject({ tokens: null, endedBecause: sessionTexts.notValid })
  })

  it('with 401 is made once more with a token that another tab renewed meanwhile [P08, P28]', async () => {
    localStorage.setItem('authData', JSON.stringify(someTokens({ accessToken: 'theirs' })))
    let isFirst = true
    const requests = answering(() => {
      const was = isFirst
      isFirst = false
      return was
        ? Response.json({ code: 'NOT_SIGNED_IN', message: 'No.' }, { status: 401 })
        : Response.json({ data: aComplaint() })
    })
    await expect(call(complaint.get, { id })).resolves.toMatchObject({ id })
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer an-access-token',
      'Bearer theirs',
    ])
  })
})
