import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { receive } from './dropped.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-dropped-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const request = (length: string | undefined, pieces: Iterable<string> | AsyncIterable<string> = ['abc']) =>
  Object.assign(Readable.from(pieces), { headers: { 'content-length': length } }) as unknown as IncomingMessage
const lying = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))

it.each([
  ['a.dcm', 'a.dcm'],
  ['study/series/a.dcm', 'study/series/a.dcm'],
  ['study\\series\\a.dcm', 'study/series/a.dcm'],
  ['../../a.dcm', 'a.dcm'],
  ['/./study//a.dcm', 'study/a.dcm'],
  ['.hidden/..a.dcm', 'hidden/a.dcm'],
  ['.../...', '_/_'],
  ['a<b>:"|?*.dcm', 'a_b______.dcm'],
  ['x'.repeat(200), 'x'.repeat(200)],
])(
  'what is dropped as %s lies as %s until it is sent, and is told before a look can find it [P45, P56]',
  async (name, place) => {
    const told: [string, number, string[]][] = []
    const why = await receive(request('3'), name, folder, (whole, bytes) =>
      told.push([path.relative(folder, whole), bytes, lying().filter((each) => each === place)]),
    )
    expect([why, lying()]).toEqual([undefined, [place]])
    expect(told).toEqual([[place, 3, []]])
    expect(readFileSync(path.join(folder, place), 'utf8')).toBe('abc')
  },
)

it.each([
  ['', 'NOT_COPIED_NAME'],
  ['../..', 'NOT_COPIED_NAME'],
  ['a\u0000.dcm', 'NOT_COPIED_NAME'],
  ['a\n.dcm', 'NOT_COPIED_NAME'],
  [`${'x/'.repeat(500)}a`, 'NOT_COPIED_NAME'],
])('nothing is kept under the name %j [P45]', async (name, code) => {
  const onWhole = jest.fn()
  expect(await receive(request('3'), name, folder, onWhole)).toMatchObject({ code })
  expect([lying(), onWhole.mock.calls]).toEqual([[], []])
})

it.each([[undefined], ['many'], ['1.5']])('nothing is kept that says %s for its length [P45]', async (length) => {
  const whole = await receive(request('0', []), 'whole.dcm', folder, () => undefined)
  expect([whole, lying()]).toEqual([undefined, ['whole.dcm']])
  expect(await receive(request(length), 'a.dcm', folder, () => undefined)).toMatchObject({ code: 'NOT_COPIED_BROKEN' })
  expect(lying()).toEqual(['whole.dcm'])
})

it('nothing is kept that would leave less than a gigabyte of the disk, or that broke on its way [P45]', async () => {
  const { bavail, bsize } = statfsSync(folder)
  const tooLarge = String(bavail * bsize)
  expect(await receive(request(tooLarge), 'a.dcm', folder, () => undefined)).toMatchObject({ code: 'NOT_COPIED_ROOM' })
  async function* broken() {
    yield 'a'
    throw new Error('The page was closed.')
  }
  expect(await receive(request('3', broken()), 'a.dcm', folder, () => undefined)).toMatchObject({
    code: 'NOT_COPIED_BROKEN',
  })
  expect(lying()).toEqual([])
})
