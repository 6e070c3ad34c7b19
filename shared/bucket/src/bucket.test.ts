import { createHash } from 'node:crypto'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { openBucket, type Bucket } from './bucket.ts'
import { startS3Server, type S3Server } from './testing/s3Server.ts'

let s3: S3Server
let bucket: Bucket

beforeAll(async () => {
  s3 = await startS3Server('some/where/')
  bucket = openBucket(s3.location)
})
afterAll(() => s3.close())

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const read = async (key: string, range?: { start: number; end?: number }): Promise<Buffer | undefined> => {
  const content = await bucket.get(key, range)
  return content && bytesOf(content.stream)
}
const bytes = (length: number): Buffer<ArrayBuffer> =>
  Buffer.alloc(length, Buffer.from(Uint8Array.from({ length: 9973 }, (_, index) => (index * 7) % 251)))

describe('a bucket', () => {
  it('gives back what was put, as a whole or a range of it, and says its size', async () => {
    await bucket.put('a/b~c', Buffer.from('hello world'))
    expect(String(await read('a/b~c'))).toBe('hello world')
    expect(String(await read('a/b~c', { start: 6, end: 8 }))).toBe('wor')
    expect(String(await read('a/b~c', { start: 6 }))).toBe('world')
    expect((await bucket.get('a/b~c', { start: 0, end: 1 }))?.size).toBe(11)
    await bucket.put('empty', new Uint8Array(0))
    expect(await read('empty')).toEqual(Buffer.alloc(0))
    expect(await read('never')).toBeUndefined()
    await bucket.put('empty', Buffer.from('not any more'))
    expect(String(await read('empty'))).toBe('not any more')
  })

  it('takes an object of many megabytes in parts, and shows it only when the last is there', async () => {
    const large = bytes(40 * 2 ** 20)
    await bucket.put('large', new Blob([large]))
    const stored = await read('large')
    expect([
      stored?.length,
      createHash('sha256')
        .update(stored ?? '')
        .digest('hex'),
    ]).toEqual([large.length, createHash('sha256').update(large).digest('hex')])
  })

  it('sends what fits into one part, and what must not replace anything, in one request', async () => {
    const asking = jest.spyOn(globalThis, 'fetch')
    const sent = async (bytes: number, options = {}): Promise<string[]> => {
      asking.mockClear()
      const isPut = await bucket.put('parts', new Blob([Buffer.alloc(bytes)]), options)
      return [
        ...asking.mock.calls.map(
          ([request]) =>
            `${(request as Request).method} ${new URL((request as Request).url).search.replace(/=.*/, '')}`,
        ),
        String(isPut),
      ]
    }
    const part = 16 * 2 ** 20
    expect(await sent(1)).toEqual(['PUT ', 'true'])
    expect(await sent(part)).toEqual(['PUT ', 'true'])
    expect(await sent(part + 1)).toEqual(['POST ?uploads', 'PUT ?uploadId', 'PUT ?uploadId', 'POST ?uploadId', 'true'])
    expect(await sent(part + 1, { ifAbsent: true })).toEqual(['PUT ', 'false'])
    asking.mockRestore()
  })

  it('gives what is read in as small portions as are asked for', async () => {
    await bucket.put('portions', Buffer.from('hello world'))
    const { stream } = (await bucket.get('portions'))!
    await new Promise((ready) => stream.once('readable', ready))
    expect(String(stream.read(5))).toBe('hello')
    stream.destroy()
  })

  it('adds a thing once, whoever comes first', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => bucket.put('first', Buffer.from(String(index)), { ifAbsent: true })),
    )
    expect(all.filter(Boolean)).toHaveLength(1)
    expect(String(await read('first'))).toBe(String(all.indexOf(true)))
  })

  it('lists everything below a prefix page by page, or the names directly below a folder', async () => {
    const keys = Array.from({ length: 1010 }, (_, index) => `many/${String(index).padStart(5, '0')}`)
    for (let from = 0; from < keys.length; from += 100)
      await Promise.all(keys.slice(from, from + 100).map((key) => bucket.put(key, Buffer.from('x'))))
    const listedKeys: string[] = []
    for await (const { key } of bucket.list('many/')) listedKeys.push(key)
    expect(listedKeys).toEqual(keys)
    await bucket.put('tree/leaf', Buffer.from('x'))
    await bucket.put('tree/branch/leaf', Buffer.from('x'))
    expect((await bucket.names('tree')).toSorted()).toEqual(['branch', 'leaf'])
    expect(await bucket.names('nothing')).toEqual([])
  })

  it('removes, also what is not there', async () => {
    await bucket.put('gone', Buffer.from('x'))
    await bucket.remove('gone')
    await bucket.remove('gone')
    expect(await read('gone')).toBeUndefined()
  })
})

describe('a bucket that cannot be used says why in one sentence, and never a key', () => {
  const check = (changes: Partial<S3Server['location']>): Promise<unknown> =>
    openBucket({ ...s3.location, ...changes })
      .check()
      .catch((cause: unknown) => cause)

  it.each([
    [
      'an unknown bucket',
      { bucket: 'nobodys' },
      'The bucket nobodys at http://127.0.0.1:PORT does not exist. Create it, or correct DMP_S3_BUCKET.',
    ],
    [
      'an unknown access key',
      { accessKeyId: 'UNKNOWNKEY' },
      'The bucket dmp-objects at http://127.0.0.1:PORT rejected the access key. Correct DMP_S3_ACCESS_KEY_ID and DMP_S3_SECRET_ACCESS_KEY.',
    ],
    [
      'a wrong secret',
      { secretAccessKey: 'WRONGSECRET' },
      'The bucket dmp-objects at http://127.0.0.1:PORT rejected the secret key. Correct DMP_S3_ACCESS_KEY_ID and DMP_S3_SECRET_ACCESS_KEY.',
    ],
    [
      'nobody there',
      { endpoint: 'http://127.0.0.1:2' },
      'The bucket dmp-objects at http://127.0.0.1:2 does not respond (ECONNREFUSED). Start the store, or correct DMP_S3_ENDPOINT.',
    ],
  ])('%s', async (_, changes, sentence) => {
    const port = new URL(s3.location.endpoint).port
    const fault = (await check(changes)) as Error
    expect(fault.message).toBe(sentence.replace('PORT', port))
    expect(JSON.stringify([fault.message, fault.stack])).not.toMatch(/WRONGSECRET|UNKNOWNKEY/)
  })

  it('says so too when it is only read from', async () => {
    await expect(openBucket({ ...s3.location, bucket: 'nobodys' }).get('anything')).rejects.toThrow(
      /^The bucket nobodys at .* does not exist\./,
    )
  })

  it('says nothing when everything is right', async () => {
    expect(await check({})).toBeUndefined()
  })
})

describe('a line that breaks', () => {
  /** Stands between, and does to an answer what a test says. */
  async function between(
    act: (nth: number, answer: IncomingMessage, reply: ServerResponse) => boolean,
  ): Promise<{ bucket: Bucket; server: Server; count: () => number }> {
    let nth = 0
    const host = new URL(s3.location.endpoint).host
    const server = createServer((incoming, reply) => {
      const mine = (nth += 1)
      // The signature is over the host that the client named: it is passed on as the store's own.
      const out = request(
        `${s3.location.endpoint}${incoming.url ?? ''}`,
        { method: incoming.method, headers: { ...incoming.headers, host: incoming.headers.host ?? host } },
        (answer) => {
          if (act(mine, answer, reply)) return void answer.resume()
          reply.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(reply)
        },
      )
      incoming.pipe(out)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    return {
      server,
      bucket: openBucket({ ...s3.location, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
      count: () => nth,
    }
  }

  it('is asked again when the store is busy or gone for a moment', async () => {
    const {
      server,
      bucket: shaky,
      count,
    } = await between((nth, _answer, reply) => {
      if (nth === 1) reply.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
      else if (nth === 2) reply.destroy()
      return nth <= 2
    })
    await shaky.put('shaky', Buffer.from('here'))
    expect([String(await read('shaky')), count()]).toEqual(['here', 3])
    server.close()
  })

  it('has 8 s until the response begins, and two minutes for a part of 16 MB', async () => {
    const clock = jest.spyOn(globalThis, 'setTimeout')
    // Node's own clocks for lines are shorter.
    const given = (): number[] => clock.mock.calls.map(([, ms]) => Math.round((ms ?? 0) / 1000)).filter((s) => s > 5)
    await bucket.put('slow', Buffer.from('here'))
    expect(given()).toEqual([8])
    clock.mockClear()
    await bucket.put('slow', new Blob([Buffer.alloc(16 * 2 ** 20)]))
    expect(given()).toEqual([120])
    clock.mockRestore()
  })

  it.each([
    [500, 'x', 'UNAVAILABLE', 4, 'responded with 500 Internal Server Error.'],
    [507, '<Error><Code>InsufficientStorage</Code></Error>', 'FULL', 1, 'is full. Free some space there.'],
    [403, '<Error><Code>Blocked</Code></Error>', 'REFUSED', 1, 'may not be used with these keys.'],
  ])('that answers %d is asked as often as that can help', async (status, words, fault, times, sentence) => {
    const {
      server,
      bucket: shaky,
      count,
    } = await between((_nth, _answer, reply) => {
      reply.writeHead(status).end(words)
      return true
    })
    const cause = await shaky.put('never', Buffer.from('x')).catch((error: unknown) => error)
    expect(cause).toMatchObject({ fault, message: expect.stringContaining(sentence) })
    expect(count()).toBe(times)
    server.close()
  })

  it('has nothing in an empty object, of which the store can give no first byte', async () => {
    const { server, bucket: shaky } = await between((_nth, _answer, reply) => {
      reply.writeHead(416).end('<Error><Code>InvalidRange</Code></Error>')
      return true
    })
    const content = await shaky.get('empty', { start: 0 })
    expect([content?.size, (await bytesOf(content?.stream as Readable)).length]).toEqual([0, 0])
    server.close()
  })

  it('goes on where an answer broke off', async () => {
    const large = bytes(3 * 2 ** 20)
    await bucket.put('broken', large)
    const {
      server,
      bucket: shaky,
      count,
    } = await between((nth, answer, reply) => {
      if (nth > 1) return false
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.once('data', (chunk: Buffer) => reply.write(chunk, () => reply.destroy()))
      return true
    })
    const content = await shaky.get('broken')
    expect((await bytesOf(content?.stream as Readable)).equals(large)).toBe(true)
    expect(count()).toBe(2)
    server.close()
  })

  it('goes on with a range where its answer broke off, and not beyond its end', async () => {
    const large = bytes(3 * 2 ** 20)
    await bucket.put('ranged', large)
    const { server, bucket: shaky } = await between((nth, answer, reply) => {
      if (nth > 1) return false
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.once('data', (chunk: Buffer) => reply.write(chunk, () => reply.destroy()))
      return true
    })
    const content = await shaky.get('ranged', { start: 10, end: 2 ** 21 })
    expect((await bytesOf(content?.stream as Readable)).equals(large.subarray(10, 2 ** 21 + 1))).toBe(true)
    server.close()
  })

  it.each([
    [3, 'hello'],
    [4, 'UNAVAILABLE'],
  ])('that breaks off %d times without a byte between gives %s', async (breaks, outcome) => {
    await bucket.put('stuttering', Buffer.from('hello'))
    const {
      server,
      bucket: shaky,
      count,
    } = await between((nth, answer, reply) => {
      if (nth > breaks) return false
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      reply.flushHeaders()
      // The headers are on their way before the line ends.
      reply.socket?.end()
      return true
    })
    const read = bytesOf((await shaky.get('stuttering'))!.stream).then(String, ({ fault }: { fault: string }) => fault)
    expect([await read, count()]).toEqual([outcome, 4])
    server.close()
  })
})
