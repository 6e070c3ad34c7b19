import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeStoreResponse, type StoreOutcome } from '@dmp/dicom'
import { sendBatch } from './sendBatch.ts'
import type { Entry } from './Session.ts'
import { Stop } from './stop.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-batch-'))
const put = (name: string) => {
  const path = join(folder, name)
  writeFileSync(path, name)
  return { path, size: name.length, modifiedMs: 0 }
}
const files = [put('first'), put('second'), put('third')]
const { signal } = new AbortController()
const stored: StoreOutcome = { kind: 'stored', sopClassUID: '1', sopInstanceUID: '2', studyUID: '3', seriesUID: '4' }
const entry: Entry = {
  name: 'A machine',
  token: () => Promise.resolve('token'),
  ready: () => Promise.resolve({ kind: 'ready', token: 'token' }),
  reject: () => undefined,
  signOut: () => Promise.resolve(),
}
const tooDeep: StoreOutcome = { kind: 'refused', failureCode: 0xc000, sentence: 'Too deep.', reason: 'TOO_DEEP' }

describe('a batch', () => {
  it('waits as a whole, and nothing is sent, while nobody is let in [P28]', async () => {
    const later = { kind: 'later', reason: 'The server is away.' } as const
    const outcomes = await send(files, { ...entry, ready: () => Promise.resolve(later) })
    expect([outcomes, bodies]).toEqual([[later, later, later], []])
  })

  it('of files that are all gone is not sent [P28]', async () => {
    const gone = ['x', 'y'].map((name) => ({ path: join(folder, name), size: 1, modifiedMs: 0 }))
    expect(await send(gone)).toEqual(
      gone.map(() => ({ kind: 'later', reason: expect.stringContaining('ENOENT') as string })),
    )
    expect(bodies).toEqual([])
  })

  it.each([RangeError, ReferenceError])(
    'does not take a mistake of this program for a lost connection: %p',
    async (Mistake) => {
      const fetching = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Mistake('odd'))
      await expect(send()).rejects.toThrow('odd')
      fetching.mockRejectedValue(new TypeError('fetch failed'))
      expect(await send()).toMatchObject(files.map(() => ({ kind: 'later', isUnreachable: true })))
      fetching.mockRestore()
    },
  )

  let server: Server
  let bodies: { type: string; body: string }[]
  let answer: (reply: ServerResponse, isBatch: boolean, body: string) => void
  const send = (batch = files, as = entry) => {
    const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return sendBatch(as, address, batch, signal)
  }
  const tells = (reply: ServerResponse, status: number, outcomes: readonly StoreOutcome[]) =>
    reply
      .writeHead(status, { 'content-type': 'application/dicom+json' })
      .end(JSON.stringify(writeStoreResponse(outcomes.map((outcome, index) => ({ part: index + 1, outcome })))))
  const refuses = (reply: ServerResponse, status: number) =>
    reply.writeHead(status, { 'content-type': 'application/json' }).end('{"code":"X","message":"In words."}')

  beforeEach(async () => {
    bodies = []
    const take = async (request: IncomingMessage, reply: ServerResponse) => {
      const type = request.headers['content-type'] ?? ''
      let body = ''
      for await (const chunk of request) body += String(chunk)
      bodies.push({ type, body })
      answer(reply, type.startsWith('multipart/'), body)
    }
    server = createServer((request, reply) => void take(request, reply))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  it('travels in one request and brings the outcome of each file, in their order [2.41]', async () => {
    answer = (reply) => tells(reply, 202, [stored, tooDeep, stored])
    expect(await send()).toEqual([
      { kind: 'stored' },
      { kind: 'refused', reason: 'Too deep.', code: 'TOO_DEEP' },
      { kind: 'stored' },
    ])
    expect(bodies).toHaveLength(1)
    const objects = bodies[0]!.body.split(
      /(?:^|\r\n)--dmp-[\w-]+(?:\r\nContent-Type: application\/dicom\r\n\r\n|--\r\n)/,
    )
    expect(objects).toEqual(['', 'first', 'second', 'third', ''])
  })

  it('of one file is sent as the object alone [2.41]', async () => {
    answer = (reply) => tells(reply, 200, [stored])
    expect(await send(files.slice(0, 1))).toEqual([{ kind: 'stored' }])
    expect(bodies).toEqual([{ type: 'application/dicom', body: 'first' }])
  })

  it.each([400, 413, 500])(
    'refused whole with %i is sent file by file, so that one stops no other [2.41]',
    async (status) => {
      answer = (reply, isBatch, body) => {
        if (isBatch) refuses(reply, status)
        else if (body === 'second') refuses(reply, 400)
        else tells(reply, 200, [stored])
      }
      expect(await send()).toEqual([
        { kind: 'stored' },
        { kind: 'refused', reason: 'In words.', code: 'X' },
        { kind: 'stored' },
      ])
    },
  )

  it('with a file that went away sends the others, and puts that one off [2.41, P28]', async () => {
    answer = (reply) => tells(reply, 200, [stored, stored])
    const missing = { path: join(folder, 'missing'), size: 1, modifiedMs: 0 }
    const outcomes = await send([files[0]!, missing, files[2]!])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'later', 'stored'])
  })

  it.each([
    ['a busy server', (reply: ServerResponse) => refuses(reply, 503), /^In words\.$/, { code: 'X' }],
    [
      'a broken line',
      (reply: ServerResponse) => reply.destroy(),
      /UND_ERR_SOCKET|no answer/,
      { code: 'LINE_LOST', isUnreachable: true },
    ],
    ['an answer that names no file', (reply: ServerResponse) => tells(reply, 200, []), /does not name this file/, {}],
  ])('is put off whole by %s [2.41, P28]', async (_which, answers, reason, more) => {
    answer = answers
    const later = { kind: 'later', reason: expect.stringMatching(reason) as string, ...more }
    expect(await send()).toEqual(files.map(() => later))
  })

  it('ends the run where the account may not upload [2.41]', async () => {
    answer = (reply) => refuses(reply, 403)
    await expect(send()).rejects.toThrow(new Stop('This account may not upload: In words.'))
  })
})
