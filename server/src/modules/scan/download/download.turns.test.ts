import { scan } from '@dmp/contract'
import { visitorsOf } from '../../../core/fairTurns.ts'
import { Stranger, tokenOf } from '../sharing/shareInTests.ts'
import { admin, newLink, open, organizationId, series, server, startWithSeries, toPath } from './downloadInTests.ts'
import { bytesPerFile } from './seriesZip.ts'

/** What downloads cost the server, and at whose expense they are prepared (P18). */
beforeAll(startWithSeries)
afterEach(() => jest.restoreAllMocks())
afterAll(() => server.close())

const newSharedLink = async (): Promise<string> => {
  const { data } = await admin.call(scan.share, { ...series(), expireInDay: 1 })
  const opened = await new Stranger(server).download(tokenOf(data.downloadUrl))
  return toPath(opened.data.downloadUrl)
}
const watchThreads = () => {
  const run = jest.spyOn(server.deps.reader, 'run')
  // Small pictures of what was stored are drawn a while afterwards, by themselves.
  return () =>
    run.mock.calls.flatMap(([task, , { turn }]) => (task === 'frames' ? [] : [[task, turn.customer] as const]))
}

it('looks at a used address once, whatever it opened, and reads nothing for it [P18, P25]', async () => {
  const link = await newSharedLink()
  expect((await open(link)).statusCode).toBe(200)
  const tasks = watchThreads()
  const reserve = jest.spyOn(server.deps.memory, 'reserve')
  for (const headers of [{}, { range: 'bytes=0-' }, { range: 'bytes=1-' }, { 'if-range': '"one"' }])
    expect((await open(link, headers)).statusCode).toBe(404)
  expect([tasks(), reserve.mock.calls]).toEqual([[], []])
})

it('is prepared in the turn of visitors for a visitor, and in their own for people [P18, P25]', async () => {
  const tasks = watchThreads()
  expect((await open(await newSharedLink())).statusCode).toBe(200)
  expect(tasks()).toEqual([
    ['pick', visitorsOf(organizationId)],
    ['dicomdir', visitorsOf(organizationId)],
  ])
  expect((await open(await newLink())).statusCode).toBe(200)
  expect(tasks().slice(2)).toEqual([
    ['pick', organizationId],
    ['dicomdir', organizationId],
  ])
})

it('is prepared once for all who ask for an address at the same time, with memory for every file [P18]', async () => {
  const link = await newSharedLink()
  const tasks = watchThreads()
  const reserve = jest.spyOn(server.deps.memory, 'reserve')
  const replies = await Promise.all(Array.from({ length: 12 }, () => open(link)))
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array<number>(11).fill(404)])
  expect(tasks().map(([task]) => task)).toEqual(['pick', 'dicomdir'])
  expect(reserve.mock.calls.map(([, bytes]) => bytes)).toEqual([expect.any(Number)])
  expect(reserve.mock.calls[0]?.[1]).toBeGreaterThanOrEqual(5 * bytesPerFile)
})
