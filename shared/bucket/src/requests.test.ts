import { createHash } from 'node:crypto'
import { openBucket } from './bucket.ts'

const asked: Request[] = []
const bucket = (isPathStyle: boolean, prefix = 'some/') =>
  openBucket({
    endpoint: 'https://s3.test/base/',
    bucket: 'scans',
    isPathStyle,
    prefix,
    region: 'eu-1',
    accessKeyId: 'a',
    secretAccessKey: 'b',
  })
let answers: (() => Response | Promise<Response>)[]
beforeEach(() => {
  asked.length = 0
  answers = []
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (request) => {
    asked.push(request as Request)
    return (answers.shift() ?? (() => new Response('')))()
  })
})
afterEach(() => jest.restoreAllMocks())

it.each([
  [true, 'https://s3.test/base/scans/some/a%20b'],
  [false, 'https://scans.s3.test/base/some/a%20b'],
])('the name of the bucket stands in the path, %p, or before the host', async (isPathStyle, url) => {
  await bucket(isPathStyle).put('a b', Buffer.from('x'))
  expect(asked.map((request) => [request.method, request.url])).toEqual([['PUT', url]])
})

it('what is put says its hash, as it was given or counted, and is locked where it was asked for', async () => {
  const until = new Date('2030-01-02T03:04:05Z')
  const hash = createHash('sha256').update('x').digest('hex')
  await bucket(true).put('a', Buffer.from('x'))
  await bucket(true).put('a', Buffer.from('x'), { sha256: 'ab'.repeat(32) })
  await bucket(true).put('a', new Blob(['x']))
  await bucket(true).put('a', Buffer.from('x'), { lockedUntil: until })
  expect(asked.map(({ headers }) => headers.get('x-amz-content-sha256'))).toEqual([
    hash,
    'ab'.repeat(32),
    'UNSIGNED-PAYLOAD',
    hash,
  ])
  const names = ['x-amz-object-lock-mode', 'x-amz-object-lock-retain-until-date', 'content-md5', 'if-none-match']
  expect(names.map((name) => asked[0]?.headers.get(name))).toEqual([null, null, null, null])
  expect(names.map((name) => asked[3]?.headers.get(name))).toEqual([
    'COMPLIANCE',
    until.toISOString(),
    createHash('md5').update('x').digest('base64'),
    null,
  ])
})

it('what is there already is said to be, where nothing may be replaced, and else it is a failure', async () => {
  answers = [() => new Response('', { status: 412 }), () => new Response('')]
  expect(await bucket(true).put('a', Buffer.from('x'), { ifAbsent: true })).toBe(false)
  expect(await bucket(true).put('a', Buffer.from('x'), { ifAbsent: true })).toBe(true)
  expect(asked.map(({ headers }) => headers.get('if-none-match'))).toEqual(['*', '*'])
})

it('is not asked again for what it refuses, nor where half of the time is over', async () => {
  answers = [() => new Response('<Code>AccessDenied</Code>', { status: 403 })]
  await expect(bucket(true).put('a', Buffer.from('x'))).rejects.toThrow('may not be used with these keys')
  expect(asked).toHaveLength(1)
  const clock = jest.spyOn(performance, 'now')
  const failing = (at: number) => () => {
    clock.mockReturnValue(at)
    return new Response('', { status: 503 })
  }
  for (const [tookMs, attempts] of [
    [3999, 2],
    [4000, 1],
  ] as const) {
    asked.length = 0
    clock.mockReturnValue(0)
    answers = [failing(tookMs), failing(9000), failing(9000), failing(9000)]
    await expect(bucket(true).put('a', Buffer.from('x'))).rejects.toThrow('responded with 503')
    expect([tookMs, asked.length]).toEqual([tookMs, attempts])
  }
})

it('names what lies at the top and in a folder without where that is', async () => {
  const list =
    (...names: string[]) =>
    () =>
      new Response(names.map((name) => `<Contents><Key>${name}</Key></Contents>`).join(''))
  answers = [list('some/a', 'some/b'), list('some/in/c')]
  expect([await bucket(true).names(''), await bucket(true).names('in')]).toEqual([['a', 'b'], ['c']])
  expect(asked.map(({ url }) => new URL(url).searchParams.get('prefix'))).toEqual(['some/', 'some/in/'])
})
