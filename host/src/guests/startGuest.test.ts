import type { GuestStart } from '@dmp/contract/guest'
import { waitFor } from '@testing-library/react'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { startGuest } from './startGuest.ts'

jest.mock('@dmp/kit/language', () => ({
  ...jest.requireActual<object>('@dmp/kit/language'),
  language: () => 'de',
}))

const guest = { ...createRemote('remote-report'), guest: { calls: [] }, languages: ['de' as const] }
const hostId = '1'.repeat(16)

beforeEach(() => {
  placeSnapshot(guest)
  Object.assign(globalThis, {
    MessageChannel: class {
      readonly port1 = { close: () => undefined }
    },
    __webpack_public_path__: `/releases/host/${hostId}/`,
  })
})
afterEach(() => {
  document.getElementById('dmp-texts')?.remove()
  jest.restoreAllMocks()
})

/** What the frame is told first. */
async function begin(): Promise<GuestStart> {
  const told: GuestStart[] = []
  const frame = { contentWindow: { postMessage: (start: GuestStart) => told.push(start) } }
  const listeners = {
    onGo: jest.fn(),
    onTitle: jest.fn(),
    onUnsaved: jest.fn(),
    onActive: jest.fn(),
    onRefused: jest.fn(),
    onDrawn: jest.fn(),
    onFailed: jest.fn(),
    onFault: jest.fn(),
  }
  const running = startGuest(frame as unknown as HTMLIFrameElement, guest, '/report?page=2', listeners)
  await waitFor(() => expect(told).toHaveLength(1))
  running.stop()
  return told[0]!
}

const placeHashes = (hashes: Readonly<Record<string, unknown>>): void =>
  document.head.append(
    Object.assign(document.createElement('script'), {
      type: 'application/json',
      id: 'dmp-texts',
      textContent: JSON.stringify(hashes),
    }),
  )

describe('a guest is told first', () => {
  it('what host and part say in the language of the page, each as its own release says it [P29, P30]', async () => {
    placeHashes({
      [`host/${hostId}`]: { de: 'sha384-host' },
      [`remote-report/${guest.releaseId}`]: { de: 'sha384-part' },
    })
    globalThis.fetch = ((url: URL, { integrity = '' }: RequestInit) =>
      Promise.resolve({ ok: true, json: async () => ({ [url.pathname]: integrity }) })) as unknown as typeof fetch
    expect(await begin()).toMatchObject({
      at: '/report?page=2',
      texts: {
        host: { [`/releases/host/${hostId}/texts/de.json`]: 'sha384-host' },
        'remote-report': { [`/releases/remote-report/${guest.releaseId}/texts/de.json`]: 'sha384-part' },
      },
    })
  })

  it('the one that can be read where the other cannot: it speaks English there', async () => {
    globalThis.fetch = ((url: URL) =>
      url.pathname.includes('/host/')
        ? Promise.reject(new TypeError('Failed to fetch'))
        : Promise.resolve({ ok: true, json: async () => ({ Reports: 'Berichte' }) })) as unknown as typeof fetch
    expect((await begin()).texts).toEqual({ host: {}, 'remote-report': { Reports: 'Berichte' } })
  })
})
