import { placeSettings } from '@dmp/kit/testing'
import { placePage } from '../testing/createRemote.ts'
import { askBeforeLeaving } from './askBeforeLeaving.ts'

let mayGo: (to: URL, part: string) => boolean
const asked: (string | undefined)[] = []

beforeEach(() => {
  asked.length = 0
  placeSettings({ apps: { viewer: 'https://viewer.example/{studyUID}', bmd: '', autometrics: '' } })
  placePage({ releases: 'https://cdn.example/dmp/releases' })
  jest.spyOn(globalThis, 'confirm').mockImplementation((text) => asked.push(text) > 1)
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  Object.assign(globalThis, { dmpGround: { guard: (ask: typeof mayGo) => (mayGo = ask) } })
  askBeforeLeaving()
})
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'dmpGround')
  jest.restoreAllMocks()
})

it('asks about sites that the settings do not name, and goes where the person says so', () => {
  const there = new URL('https://elsewhere.example:8443/?secret')
  expect([mayGo(there, ''), mayGo(there, '')]).toEqual([false, true])
  expect(asked[0]).toBe('Open elsewhere.example:8443? It is another site, and sees what its address says.')
})

it('does not ask about those that they name', () => {
  for (const address of ['https://viewer.example/x', 'https://cdn.example/dmp/releases/x'])
    expect(mayGo(new URL(address), 'remote-scan')).toBe(true)
  expect(asked).toEqual([])
})

it('tells the team of a part that asks', () => {
  mayGo(new URL('https://elsewhere.example/'), 'remote-scan')
  expect(console.error).toHaveBeenCalledWith('[remote-scan]', new Error('It asked to open another site.'))
})
