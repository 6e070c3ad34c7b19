import { closeCodes } from '@dmp/contract/live'
import { FakeSocket, lastSocket as last, placeFakeSocket } from '../../testing/FakeSocket.ts'
import { openLiveChannel, reconnectDelay, type LiveClient, type LiveEvents } from './liveClient.ts'
import { liveTexts } from './liveTexts.ts'

let client: LiveClient
let events: jest.Mocked<LiveEvents>

beforeEach(() => {
  jest.useFakeTimers()
  placeFakeSocket()
  jest.spyOn(console, 'warn').mockImplementation(() => {})
  events = {
    address: jest.fn(() => 'ws://x/live?sessionId=s&clientId=c'),
    token: jest.fn(() => 'a-token'),
    onFrame: jest.fn(),
    onState: jest.fn(),
    onLogout: jest.fn(),
    onError: jest.fn(),
  }
  client = openLiveChannel(events)
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

describe('the live channel', () => {
  it('sends the access token in its first message and not in the address [7.41, P11]', () => {
    last().open()
    expect(last().url).not.toContain('token')
    expect(last().sent).toEqual([{ type: 'renewToken', accessToken: 'a-token' }])
    expect(events.onState.mock.calls.map(([state]) => state)).toEqual(['connecting', 'open'])
  })

  it.each([
    [0, 1000],
    [1, 2000],
    [2, 4000],
    [3, 8000],
    [4, 16_000],
    [5, 30_000],
    [9, 30_000],
  ])('waits before attempt %i for %i ms [4.14, 9.08]', (attempt, ms) => {
    expect(reconnectDelay(attempt)).toBe(ms)
  })

  it('tries 5 times and then says so with code 500 [4.14, 8.04, 9.08]', () => {
    for (const ms of [1000, 2000, 4000, 8000, 16_000]) {
      last().drop(1006)
      const before = FakeSocket.made.length
      jest.advanceTimersByTime(ms - 1)
      expect(FakeSocket.made).toHaveLength(before)
      jest.advanceTimersByTime(1)
      expect(FakeSocket.made).toHaveLength(before + 1)
    }
    expect(events.onError).not.toHaveBeenCalled()
    last().drop(1006)
    jest.advanceTimersByTime(120_000)
    expect(FakeSocket.made).toHaveLength(6)
    expect(events.onError).toHaveBeenCalledWith(
      expect.objectContaining({ code: 500, message: liveTexts.exhausted }),
      1006,
    )
    expect(events.onState).toHaveBeenLastCalledWith('failed')
  })

  it('counts on where the server lets it in, says nothing and closes [9.08]', () => {
    for (const ms of [1000, 2000, 4000, 8000, 16_000]) {
      last().open()
      last().drop(1006)
      jest.advanceTimersByTime(ms)
    }
    last().open()
    last().drop(1006)
    jest.advanceTimersByTime(120_000)
    expect(FakeSocket.made).toHaveLength(6)
    expect(events.onState).toHaveBeenLastCalledWith('failed')
  })

  it('counts attempts anew once the server has talked to it [9.08]', () => {
    last().drop(1006)
    jest.advanceTimersByTime(1000)
    last().open()
    last().say({ type: 'keepAlive' })
    last().drop(1012)
    jest.advanceTimersByTime(1000)
    expect(FakeSocket.made).toHaveLength(3)
  })

  it('closes cleanly on logout and says that the session has ended [4.14]', () => {
    last().open()
    last().say({ type: 'logout' })
    expect(last().closedWith).toEqual([closeCodes.clean, 'app-logout'])
    expect(events.onLogout).toHaveBeenCalledTimes(1)
    jest.advanceTimersByTime(60_000)
    expect(FakeSocket.made).toHaveLength(1)
  })

  it('takes a clean close with app-logout by the server alike [4.14]', () => {
    last().open()
    last().drop(1000, 'app-logout')
    expect(events.onLogout).toHaveBeenCalledTimes(1)
    expect(events.onError).not.toHaveBeenCalled()
  })

  it('closes with an error on error, in the words of the specification [4.14, 8.04]', () => {
    last().open()
    last().say({ type: 'error', code: 400, message: 'no' })
    expect(last().closedWith?.[1]).toBe('app-error')
    expect(events.onError).toHaveBeenCalledWith(
      expect.objectContaining({
        code: 400,
        message: 'Your session is invalid. Please open the application from the product again.',
      }),
      closeCodes.refused,
    )
  })

  it.each([
    'Your session id is invalid. Please open the application from the product again.',
    'Your session is invalid. Please open the application from the product again.',
  ])('passes on which of the two the server said: %s [8.04]', (message) => {
    last().open()
    last().say({ type: 'error', code: 400, message })
    expect(events.onError).toHaveBeenCalledWith(expect.objectContaining({ code: 400, message }), closeCodes.refused)
  })

  it('says when the session id is refused, and does not insist [8.04]', () => {
    last().drop(closeCodes.refused, 'bad session')
    expect(events.onError).toHaveBeenCalledWith(
      expect.objectContaining({
        code: 400,
        message: 'Your session id is invalid. Please open the application from the product again.',
      }),
      closeCodes.refused,
    )
    jest.advanceTimersByTime(60_000)
    expect(FakeSocket.made).toHaveLength(1)
  })

  it('hands token, renewToken and idleTimeout on, and nothing that is no frame [4.14]', () => {
    last().open()
    last().say({ type: 'token', accessToken: 't', expireDate: 'd' })
    last().say({ type: 'renewToken' })
    last().say({ type: 'idleTimeout' })
    last().say('not json')
    last().say('{"type":"unheard of"}')
    expect(events.onFrame.mock.calls.map(([frame]) => frame.type)).toEqual(['token', 'renewToken', 'idleTimeout'])
  })

  it('does not send while it is not open, and only logs that [8.04]', () => {
    expect(client.send({ type: 'keepAlive' })).toBe(false)
    expect(console.warn).toHaveBeenCalledWith(expect.stringContaining(liveTexts.notOpen))
    last().open()
    expect(client.send({ type: 'keepAlive' })).toBe(true)
    expect(last().sent.at(-1)).toEqual({ type: 'keepAlive' })
  })

  it('waits without counting while there is no line, and tries at once when it is back [P28]', () => {
    const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    last().drop(1006)
    jest.advanceTimersByTime(600_000)
    expect(FakeSocket.made).toHaveLength(1)
    expect(events.onState).toHaveBeenLastCalledWith('waiting')
    online.mockReturnValue(true)
    client.retry()
    expect(FakeSocket.made).toHaveLength(2)
  })

  it('says nothing of a token where there is none [7.41]', () => {
    events.token.mockReturnValue(null)
    last().open()
    expect(last().sent).toEqual([])
  })

  it('is opened once, however often it is asked for, and is over once [7.41]', () => {
    client.retry()
    last().open()
    client.retry()
    expect(FakeSocket.made).toHaveLength(1)
    client.close()
    client.close()
    expect(last().sent.filter((frame) => (frame as { type: string }).type === 'logout')).toHaveLength(1)
    expect(events.onState.mock.calls.filter(([state]) => state === 'off')).toHaveLength(1)
  })

  it('says goodbye and stays closed when the session ends here [7.41]', () => {
    last().open()
    client.close()
    expect(last().sent.at(-1)).toEqual({ type: 'logout' })
    expect(last().closedWith).toEqual([1000, 'app-logout'])
    client.retry()
    expect(FakeSocket.made).toHaveLength(1)
    expect(events.onLogout).not.toHaveBeenCalled()
  })
})
