import { placeSettings } from '@dmp/kit/testing'
import { waitFor } from '@testing-library/react'
import { placePage } from '../testing/createRemote.ts'
import { Report } from '../testing/Report.ts'
import { observePage, recordError } from './releaseReports.ts'

const reports = new Report()
const releaseId = 'a1'.repeat(8)
const origin = 'https://dmp.example'
const at = (file: string): string => `${origin}/releases/remote-scan/${releaseId}/${file}`
const thrown = (message: string, ...frames: string[]): Error =>
  Object.assign(new TypeError(message), { stack: [`TypeError: ${message}`, ...frames].join('\n') })
const waitForPlaces = (count: number) =>
  waitFor(async () => expect((await reports.places()).errors).toHaveLength(count)).then(() => reports.places())

beforeAll(() => {
  placeSettings()
  observePage()
})
beforeEach(() => reports.begin())

describe('the place of an error is told to the team of its part [P84]', () => {
  it('not while this browser gets something in place of what is live', async () => {
    placePage({ overrides: [{ part: 'remote-other', address: 'http://localhost:8123' }] })
    recordError(thrown('x', `    at f (${at('App.js')}:7:1)`))
    await import('./errorPlaces.ts')
    expect((await reports.places()).errors).toEqual([])
    placePage({})
  })

  it('in the files of its release, from the innermost on, without anything that could name somebody', async () => {
    recordError(
      thrown(
        'Cannot read properties of undefined (reading BERG^ADA) for ada.berg@clinic.example, 1.2.840.113619, "Ada"',
        `    at e.map (${origin}/releases/host/${'b'.repeat(16)}/main.js:1:2)`,
        `    at rows (${at('App.1234abcd.js')}:1:4711)`,
        `    at https://dmp.example/scan/detail/Ada-Berg?patient=Ada:1:2`,
        `    at Object.load (${at('list/table.js')}:20:3)`,
      ),
    )
    const { errors, text } = await waitForPlaces(1)
    expect(errors).toEqual([
      {
        part: 'remote-scan',
        releaseId,
        name: 'TypeError',
        message: 'Cannot read properties of undefined (reading …) for …',
        frames: [
          { file: 'App.1234abcd.js', line: 1, column: 4711 },
          { file: 'list/table.js', line: 20, column: 3 },
        ],
      },
    ])
    expect(text).not.toMatch(/ada|berg|clinic|840|detail/i)
  })

  it('also as other browsers write stacks, and of what was being drawn where the stack names only the host', async () => {
    recordError(
      thrown('x is null', `draw@${origin}/releases/host/${'b'.repeat(16)}/main.js:9:9`),
      `List@${at('App.1234abcd.js')}:2:7`,
    )
    const { errors } = await waitForPlaces(1)
    expect(errors).toMatchObject([{ frames: [{ file: 'App.1234abcd.js', line: 2, column: 7 }] }])
  })

  it('once, and of five errors at most in the life of a page', async () => {
    const throwAt = (line: number) => recordError(thrown('x', `    at f (${at('App.js')}:${line}:1)`))
    for (const line of [1, 1, 2, 3, 4, 5, 6]) throwAt(line)
    const { errors } = await waitForPlaces(3)
    expect(errors.map(({ frames: [frame] }) => frame?.line)).toEqual([1, 2, 3])
  })
})
