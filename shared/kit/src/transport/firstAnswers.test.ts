import * as complaint from '@dmp/contract/complaint'
import { aComplaint, aComplaintRow, anId } from '@dmp/contract/examples'
import { call, session } from '@dmp/kit'
import { placeSettings, signInAs } from '@dmp/kit/testing'

const page = globalThis as { dmpFirstAnswers?: unknown }
const listUrl = 'http://localhost/api/Complaint/list'
let asked: string[]
let stop: AbortController

/** What the page's own script leaves: a call that is made. */
function leave(url: string, answer: Response | Promise<Response>, accessToken = session.get().tokens?.accessToken) {
  stop = new AbortController()
  page.dmpFirstAnswers = [{ url, accessToken, answer: Promise.resolve(answer), stop }]
}
const firstRows = () => Response.json({ data: [aComplaintRow({ complaintNumber: 'first' })], total: 1 })
const list = async (input = { page: 1, pageSize: 10 }) => (await call(complaint.list, input)).rows[0]?.complaintNumber

beforeEach(() => {
  placeSettings()
  signInAs('staff')
  asked = []
  globalThis.fetch = async (resource) => {
    const { method, url } = resource as Request
    asked.push(`${method} ${url.slice('http://localhost/api'.length)}`)
    return url.includes('updateSeverity')
      ? Response.json({ data: aComplaint() })
      : Response.json({ data: [aComplaintRow({ complaintNumber: 'asked' })], total: 1 })
  }
})
afterEach(() => {
  page.dmpFirstAnswers = undefined
})

it('takes over what the page has asked already, in whatever order its parameters stand, and once [P65]', async () => {
  leave(`${listUrl}?pageSize=10&page=1`, firstRows())
  expect(await list()).toBe('first')
  expect(asked).toEqual([])
  expect(await list()).toBe('asked')
})

it('asks by itself for anything else, for another session and after a change [P65]', async () => {
  leave(`${listUrl}?page=1&pageSize=10`, firstRows())
  expect(await list({ page: 2, pageSize: 10 })).toBe('asked')
  leave(`${listUrl}?page=1&pageSize=10`, firstRows(), 'of somebody else')
  expect(await list()).toBe('asked')
  leave(`${listUrl}?page=1&pageSize=10`, firstRows())
  await call(complaint.updateSeverity, { id: anId(1), severityId: anId(2) })
  expect(await list()).toBe('asked')
  expect(asked).toHaveLength(4)
})

it('takes over each of several that the page has asked, in any order [P65]', async () => {
  const made = (page: number) => ({
    url: `${listUrl}?page=${page}&pageSize=10`,
    accessToken: session.get().tokens?.accessToken,
    answer: Promise.resolve(firstRows()),
    stop: new AbortController(),
  })
  page.dmpFirstAnswers = [made(1), made(2)]
  expect([await list({ page: 2, pageSize: 10 }), await list()]).toEqual(['first', 'first'])
  expect(asked).toEqual([])
})

it('asks by itself once the page is older than ten seconds [P65]', async () => {
  const now = performance.now()
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 10_001)
  leave(`${listUrl}?page=1&pageSize=10`, firstRows())
  expect(await list()).toBe('asked')
  clock.mockRestore()
  // What is left then is of no use to a later screen either.
  expect(page.dmpFirstAnswers).toBeUndefined()
})

it('ends the session by a 401 that the page got, as by any other [7.01, P65]', async () => {
  leave(`${listUrl}?page=1&pageSize=10`, Response.json({ code: 'UNAUTHORIZED', message: 'No.' }, { status: 401 }))
  await expect(list()).rejects.toMatchObject({ status: 401 })
  expect(session.get()).toMatchObject({ tokens: null })
})

it('stops the call of the page when nobody waits for it any more, or nobody ever did [P65]', async () => {
  const waiting = new AbortController()
  leave(`${listUrl}?page=1&pageSize=10`, new Promise<Response>(() => undefined))
  void call(complaint.list, { page: 1, pageSize: 10 }, { signal: waiting.signal }).catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve))
  expect(stop.signal.aborted).toBe(false)
  waiting.abort()
  expect(stop.signal.aborted).toBe(true)
  leave(`${listUrl}?page=1&pageSize=10`, new Promise<Response>(() => undefined))
  void call(complaint.list, { page: 1, pageSize: 10 }, { signal: waiting.signal }).catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve))
  expect(stop.signal.aborted).toBe(true)
})
