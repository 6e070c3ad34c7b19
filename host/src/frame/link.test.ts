import type { FromGuest, ToGuest } from '@dmp/contract/guest'
import { CallError, type Asked } from '@dmp/kit'
import { openLink } from './link.ts'

const asked: Asked = { name: 'GET /Complaint/list', method: 'GET', path: '/Complaint/list', query: {}, body: {} }

function open() {
  const said: FromGuest[] = []
  const port = {
    onmessage: null as ((event: { data: ToGuest }) => void) | null,
    postMessage: (message: FromGuest) => said.push(message),
  }
  const link = openLink(port as unknown as MessagePort)
  return { link, said, hear: (data: ToGuest) => port.onmessage?.({ data }) }
}

describe('the frame’s end of the port', () => {
  it('gives each call its own answer, in whatever order they come', async () => {
    const { link, said, hear } = open()
    const [first, second] = [
      link.ask(asked, undefined),
      link.ask({ ...asked, seenUpdatedDate: '2026-01-01' }, undefined),
    ]
    hear({ id: 2, reply: { data: 'second' } })
    hear({ id: 1, reply: { data: 'first' } })
    expect(await Promise.all([first, second])).toEqual([{ data: 'first' }, { data: 'second' }])
    const { name: call, method: _, ...rest } = asked
    expect(said).toEqual([
      { id: 1, call, ...rest },
      { id: 2, call, ...rest, seenUpdatedDate: '2026-01-01' },
    ])
  })

  it('throws a refusal as the kit’s own error', async () => {
    const { link, hear } = open()
    const asking = link.ask(asked, undefined)
    hear({
      id: 1,
      refusal: { status: 422, code: 'INVALID', message: 'No.', fields: [{ path: 'name', message: 'Empty.' }] },
    })
    const error: unknown = await asking.catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(CallError)
    expect(error).toMatchObject({ status: 422, code: 'INVALID', message: 'No.', fields: [{ path: 'name' }] })
  })

  it('tells of a call that is stopped, and drops its answer', async () => {
    const { link, said, hear } = open()
    const controller = new AbortController()
    const asking = link.ask(asked, controller.signal).catch((cause: Error) => cause.name)
    controller.abort()
    hear({ id: 1, reply: {} })
    expect(await asking).toBe('AbortError')
    expect(said.at(-1)).toEqual({ stop: 1 })
  })

  it('answers a ping, and hands on addresses and colours', () => {
    const { link, said, hear } = open()
    const heard: unknown[] = []
    const stop = link.follow((message) => heard.push(message))
    hear({ ping: 4 })
    hear({ at: '/report/1', after: 0 })
    hear({ theme: 'dark' })
    stop()
    hear({ at: '/report/2', after: 0 })
    expect(said).toEqual([{ pong: 4 }])
    expect(heard).toEqual([{ at: '/report/1', after: 0 }, { theme: 'dark' }])
  })
})
