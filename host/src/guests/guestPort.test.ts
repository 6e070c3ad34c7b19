import { guestLimits, type ToGuest } from '@dmp/contract/guest'
import { CallError, type Asked } from '@dmp/kit'
import { serveGuest, type GuestDuties } from './guestPort.ts'

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

/** The page's end of a port, and what a guest at the other end does and hears. */
function open(duties: Partial<GuestDuties> = {}) {
  const heard: ToGuest[] = []
  const refused: string[] = []
  const asked: Asked[] = []
  const port = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    postMessage: (message: ToGuest) => heard.push(message),
    close: jest.fn(),
  }
  const listeners = {
    onGo: jest.fn(),
    onTitle: jest.fn(),
    onUnsaved: jest.fn(),
    onActive: jest.fn(),
    onKey: jest.fn(),
    onDrawn: jest.fn(),
    onFailed: jest.fn(),
    onPong: jest.fn(),
    onFlood: jest.fn(),
  }
  const served = serveGuest(port as unknown as MessagePort, {
    part: 'remote-report',
    calls: ['GET /Complaint/list', 'POST /Organization/dismissSetup/:id', 'POST /ApiToken/add'],
    ask: (request) => {
      asked.push(request)
      return Promise.resolve({ data: [1], total: 1 })
    },
    onRefused: (what) => refused.push(what),
    ...listeners,
    ...duties,
  })
  const say = (data: unknown): Promise<void> => {
    port.onmessage?.({ data })
    return settle()
  }
  return { ...listeners, served, port, heard, refused, asked, say }
}

const list = { id: 1, call: 'GET /Complaint/list', path: '/Complaint/list', query: { page: '1' }, body: {} }

describe('the port of a guest', () => {
  it('makes a call that the release declares, and hands over the reply and nothing else', async () => {
    const guest = open()
    await guest.say(list)
    expect(guest.asked).toEqual([
      { name: list.call, method: 'GET', path: list.path, query: { page: '1' }, body: {}, seenUpdatedDate: undefined },
    ])
    expect(guest.heard).toEqual([{ id: 1, reply: { data: [1], total: 1 } }])
  })

  it.each([
    ['was not declared', 'GET /Scan/list', '/Scan/list'],
    ['no guest may make, though it is declared', 'POST /ApiToken/add', '/ApiToken/add'],
  ])('refuses by name a call that %s', async (_why, call, path) => {
    const guest = open()
    await guest.say({ ...list, call, path })
    expect(guest.asked).toEqual([])
    expect(guest.refused).toEqual([call])
    expect(guest.heard).toEqual([
      {
        id: 1,
        refusal: {
          status: 403,
          code: 'GUEST_UNDECLARED',
          message: `${call} is not among the calls that remote-report may make.`,
          fields: [],
        },
      },
    ])
  })

  it.each([
    ['another call', 'GET /Complaint/list', '/Scan/list'],
    ['a folder above', 'POST /Organization/dismissSetup/:id', '/Organization/dismissSetup/..'],
    ['two segments for one parameter', 'POST /Organization/dismissSetup/:id', '/Organization/dismissSetup/1/2'],
    ['a query', 'GET /Complaint/list', '/Complaint/list?page=2'],
    ['a parameter with a query', 'POST /Organization/dismissSetup/:id', '/Organization/dismissSetup/1?x=2'],
  ])('refuses a declared call at the address of %s', async (_what, call, path) => {
    const guest = open()
    await guest.say({ ...list, call, path })
    expect(guest.asked).toEqual([])
    expect(guest.heard).toEqual([{ id: 1, refusal: expect.objectContaining({ code: 'GUEST_ADDRESS' }) as unknown }])
  })

  it.each([
    ['no object', 'GET /Complaint/list'],
    ['nothing', null],
    ['more than it may say', { ...list, accessToken: 'x' }],
    ['another site', { go: 'https://evil.example/', isReplacing: false }],
    ['another site without its scheme', { go: '//evil.example/', isReplacing: false }],
    ['a key that is none', { key: 'x'.repeat(21) }],
    ['a title that is no text', { title: { toString: () => 'x' } }],
    ['a negative number', { ...list, id: -1 }],
  ])('does nothing on a message that is %s', async (_what, message) => {
    const guest = open()
    await guest.say(message)
    expect(guest.asked).toEqual([])
    expect(guest.onGo).not.toHaveBeenCalled()
    expect(guest.onTitle).not.toHaveBeenCalled()
    expect(guest.refused).toEqual(['a message of no known kind'])
  })

  it('says of a failed call what the server said, and of other failures nothing', async () => {
    const failures = [new CallError(409, 'CHANGED_MEANWHILE', 'Somebody else changed it.'), new Error('token eyJabc')]
    const guest = open({ ask: () => Promise.reject(failures.shift() ?? new Error('none left')) })
    await guest.say(list)
    await guest.say({ ...list, id: 2 })
    expect(guest.heard).toEqual([
      { id: 1, refusal: expect.objectContaining({ status: 409, code: 'CHANGED_MEANWHILE' }) as unknown },
      { id: 2, refusal: { status: 0, code: 'UNKNOWN', message: 'An unknown error occurred', fields: [] } },
    ])
  })

  it('lets only so many calls wait at once', async () => {
    const guest = open({ ask: () => new Promise(() => undefined) })
    for (let id = 1; id <= guestLimits.callsAtOnce + 1; id += 1) await guest.say({ ...list, id })
    expect(guest.heard).toEqual([
      { id: guestLimits.callsAtOnce + 1, refusal: expect.objectContaining({ status: 429 }) as unknown },
    ])
  })

  it('ends a call that the guest stops, and every call when the port closes', async () => {
    const signals: AbortSignal[] = []
    const guest = open({
      ask: (_request, signal) => {
        signals.push(signal)
        return new Promise(() => undefined)
      },
    })
    await guest.say(list)
    await guest.say({ ...list, id: 2 })
    await guest.say({ stop: 1 })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    guest.served.close()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  it('closes on more messages than it may send, and on one that is too long', async () => {
    const many = open()
    for (let count = 0; count <= guestLimits.messagesPerTenSeconds; count += 1) await many.say({ isActive: true })
    expect(many.onFlood).toHaveBeenCalledTimes(1)
    expect(many.port.close).toHaveBeenCalledTimes(1)
    const long = open()
    await long.say({ ...list, body: { text: 'x'.repeat(guestLimits.messageChars) } })
    expect(long.onFlood).toHaveBeenCalledTimes(1)
    expect(long.asked).toEqual([])
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const endless = open()
    await endless.say({ ...list, body: circular })
    expect(endless.onFlood).toHaveBeenCalledTimes(1)
  })

  it('takes a message that is just as long as one may be', async () => {
    const guest = open()
    const message = { ...list, body: { text: '' } }
    message.body.text = 'x'.repeat(guestLimits.messageChars - JSON.stringify(message).length)
    await guest.say(message)
    expect(guest.onFlood).not.toHaveBeenCalled()
    expect(guest.asked).toHaveLength(1)
  })

  it('answers one call of a number at a time, and none any more once it is closed', async () => {
    const replies: ((reply: unknown) => void)[] = []
    const guest = open({ ask: () => new Promise((resolve) => replies.push(resolve)) })
    await guest.say(list)
    await guest.say(list)
    expect([replies.length, guest.refused]).toEqual([1, ['a second call of one number']])
    replies[0]?.({ data: [] })
    await settle()
    await guest.say(list)
    expect([replies.length, guest.heard.length]).toEqual([2, 1])
    guest.served.close()
    replies[1]?.({ data: [] })
    await settle()
    expect(guest.heard).toHaveLength(1)
    const failing = open({
      ask: (_request, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up')))),
    })
    await failing.say(list)
    failing.served.close()
    await settle()
    expect(failing.heard).toEqual([])
  })

  it('lets a guest send as many again when ten seconds are over, and no more', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
    try {
      const guest = open()
      for (let span = 0; span < 3; span += 1) {
        for (let count = 0; count < guestLimits.messagesPerTenSeconds; count += 1) await guest.say({ isActive: true })
        jest.advanceTimersByTime(10_001)
      }
      expect(guest.onFlood).not.toHaveBeenCalled()
      expect(guest.onActive).toHaveBeenCalledTimes(3 * guestLimits.messagesPerTenSeconds)
    } finally {
      jest.useRealTimers()
    }
  })

  it('passes on title, address, unsaved input and signs of life', async () => {
    const guest = open()
    await guest.say({ title: 'Reports' })
    await guest.say({ go: '/report/7', isReplacing: true })
    await guest.say({ isUnsaved: true })
    await guest.say({ pong: 3 })
    await guest.say({ key: 'g s' })
    await guest.say({ drawn: true })
    expect(guest.onTitle).toHaveBeenCalledWith('Reports')
    expect(guest.onGo).toHaveBeenCalledWith('/report/7', true)
    expect(guest.onUnsaved).toHaveBeenCalledWith(true)
    expect(guest.onPong).toHaveBeenCalledTimes(1)
    expect(guest.onKey).toHaveBeenCalledWith('g s')
    expect(guest.onDrawn).toHaveBeenCalledTimes(1)
    await guest.say({ failed: 'render' })
    await guest.say({ failed: 'error' })
    expect(guest.onFailed.mock.calls).toEqual([['error']])
    expect(guest.refused).toEqual(['a message of no known kind'])
  })
})
