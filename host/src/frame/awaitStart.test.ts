import type { GuestStart } from '@dmp/contract/guest'
import { awaitStart } from './awaitStart.ts'

const start: GuestStart = { user: null, at: '/report', keys: [], texts: {} }
const port = { postMessage: () => undefined } as unknown as MessagePort

function send(data: GuestStart, over: Partial<MessageEventInit>): void {
  const event = new MessageEvent('message', { data, origin: location.origin, source: window.parent, ...over })
  Object.defineProperty(event, 'ports', { value: over.ports ?? [port] })
  window.dispatchEvent(event)
}

it('listens to the page around the frame alone, and only once', async () => {
  const started = awaitStart()
  const other = document.createElement('iframe')
  document.body.append(other)
  send({ ...start, at: '/another-window' }, { source: other.contentWindow })
  send({ ...start, at: '/another-origin' }, { origin: 'https://evil.example' })
  send({ ...start, at: '/no-port' }, { ports: [] })
  send(start, {})
  send({ ...start, at: '/again' }, {})
  expect(await started).toEqual({ start, port })
  other.remove()
})
