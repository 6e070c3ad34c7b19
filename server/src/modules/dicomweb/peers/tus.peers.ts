import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as tus from 'tus-js-client'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'

/** tus-js-client, whose ways of sending are tried one by one, and tuspy, the client of Python. */

const { DetailedError, Upload } = tus
type Upload = tus.Upload
type UploadOptions = tus.UploadOptions
/** Its types leave it out. */
const { FileUrlStorage } = tus as unknown as {
  FileUrlStorage: new (path: string) => NonNullable<UploadOptions['urlStorage']>
}

let server: TestServer
let staff: SignedIn
let endpoint: string
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-tus-'))
  server = await startServer()
  staff = await server.signIn('staff')
  endpoint = `${await server.listen()}/api/Scan/uploads`
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Some 9 kB, so that it goes in pieces. */
const object = (number: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.32.1.${number}`),
      '0020000D': text('UI', '1.32'),
      '0020000E': text('UI', '1.32.1'),
      '00204000': text('LT', 'x'.repeat(9000)),
    }),
  })
const isStored = async (number: number): Promise<boolean> => {
  const url = `/dicom-web/studies/1.32/series/1.32.1/instances/1.32.1.${number}`
  const reply = await server.app.inject({ url, headers: { ...staff.headers, accept: 'application/dicom' } })
  return reply.statusCode === 200 && reply.rawPayload.equals(object(number))
}
const waiting = (): string[] =>
  readdirSync(join(server.deps.settings.dataDir, 'uploads')).filter((name) => !name.endsWith('.json'))

interface Sent {
  readonly upload: Upload
  readonly methods: string[]
}

/** Sends to the end; rejects with what the client says. */
function send(content: Buffer | PassThrough, options: UploadOptions = {}): Promise<Sent> {
  const methods: string[] = []
  return new Promise((resolve, reject) => {
    const upload = new Upload(content, {
      endpoint,
      headers: { ...staff.headers },
      retryDelays: [0, 0],
      onBeforeRequest: (request) => void methods.push(request.getMethod()),
      onSuccess: () => resolve({ upload, methods }),
      onError: reject,
      ...options,
    })
    upload.start()
  })
}

describe('tus-js-client, in each of its ways,', () => {
  it('sends a file in one piece, and in many', async () => {
    expect((await send(object(1))).methods).toEqual(['POST', 'PATCH'])
    const { methods } = await send(object(2), { chunkSize: 2000 })
    expect(methods.length).toBeGreaterThan(4)
    expect([await isStored(1), await isStored(2), waiting()]).toEqual([true, true, []])
  })

  it('sends the file while it begins the upload', async () => {
    expect((await send(object(3), { uploadDataDuringCreation: true })).methods).toEqual(['POST'])
    const { methods } = await send(object(4), { uploadDataDuringCreation: true, chunkSize: 2000 })
    expect(methods.slice(0, 2)).toEqual(['POST', 'PATCH'])
    expect([await isStored(3), await isStored(4), waiting()]).toEqual([true, true, []])
  })

  it('sends a stream whose length it learns at its end', async () => {
    const stream = new PassThrough()
    stream.end(object(5))
    await send(stream, { uploadLengthDeferred: true, chunkSize: 2000 })
    expect([await isStored(5), waiting()]).toEqual([true, []])
  })

  it('sends by POST alone where PATCH is not let through', async () => {
    const { methods } = await send(object(6), { overridePatchMethod: true, chunkSize: 5000 })
    expect(new Set(methods)).toEqual(new Set(['POST']))
    expect([await isStored(6), waiting()]).toEqual([true, []])
  })
})

describe('tus-js-client, when it is interrupted,', () => {
  it('goes on in another run with an upload that it recognizes, and forgets it once it is done', async () => {
    const urlStorage = new FileUrlStorage(join(folder, 'urls.json'))
    const known = { urlStorage, fingerprint: async () => 'the same file', removeFingerprintOnSuccess: true }
    await new Promise<void>((resolve, reject) => {
      const first = new Upload(object(7), {
        endpoint,
        headers: { ...staff.headers },
        chunkSize: 2000,
        ...known,
        onChunkComplete: () => void first.abort().then(resolve, reject),
        onError: reject,
      })
      first.start()
    })
    const [previous] = await urlStorage.findUploadsByFingerprint('the same file')
    const { methods } = await new Promise<Sent>((resolve, reject) => {
      const sent: string[] = []
      const second = new Upload(object(7), {
        endpoint,
        headers: { ...staff.headers },
        ...known,
        onBeforeRequest: (request) => void sent.push(request.getMethod()),
        onSuccess: () => resolve({ upload: second, methods: sent }),
        onError: reject,
      })
      if (previous) second.resumeFromPreviousUpload(previous)
      second.start()
    })
    expect(methods).toEqual(['HEAD', 'PATCH'])
    expect(await isStored(7)).toBe(true)
    // The client says that it is done before it forgets.
    while ((await urlStorage.findUploadsByFingerprint('the same file')).length > 0) await pause(10)
  })

  it('learns by itself that all was stored when the last answer got lost', async () => {
    let losses = 1
    const { methods } = await send(object(8), {
      onAfterResponse: (request) => {
        if (request.getMethod() === 'PATCH' && losses-- > 0) throw new Error('The line is away.')
      },
    })
    expect([methods, await isStored(8)]).toEqual([['POST', 'PATCH', 'HEAD'], true])
  })

  it('ends an upload, and the server keeps nothing of it', async () => {
    await new Promise<void>((resolve, reject) => {
      const upload = new Upload(object(9), {
        endpoint,
        headers: { ...staff.headers },
        chunkSize: 2000,
        onChunkComplete: () => void upload.abort(true).then(resolve, reject),
        onError: reject,
      })
      upload.start()
    })
    expect([await isStored(9), waiting()]).toEqual([false, []])
  })
})

describe('tus-js-client', () => {
  it('is told why, once, when a file is refused', async () => {
    const methods: string[] = []
    const sent = send(Buffer.from('no object'), {
      onBeforeRequest: (request) => void methods.push(request.getMethod()),
    })
    const error = await sent.catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(DetailedError)
    expect((error as tus.DetailedError).originalResponse?.getStatus()).toBe(422)
    expect((error as tus.DetailedError).originalResponse?.getBody()).toContain('DICOM')
    expect(methods).toEqual(['POST', 'PATCH'])
  })

  it('is told at once that parts of a file cannot be sent beside each other', async () => {
    const error = await send(object(10), { parallelUploads: 2, retryDelays: null }).catch((cause: unknown) => cause)
    expect((error as tus.DetailedError).originalResponse?.getStatus()).toBe(501)
    expect((error as tus.DetailedError).originalResponse?.getBody()).toContain('Switch parallel uploads off.')
    expect(waiting()).toEqual([])
  })
})

describe('tuspy', () => {
  const script = `
import sys
from tusclient.client import TusClient
from tusclient.storage.filestorage import FileStorage
endpoint, token, path, storage, stop = sys.argv[1:]
client = TusClient(endpoint, headers={'Authorization': token})
uploader = client.uploader(path, chunk_size=2000, store_url=True, url_storage=FileStorage(storage))
print(uploader.offset)
uploader.upload(stop_at=int(stop) or None)
print(uploader.offset)
`
  // The server answers in this process, so nothing here may wait for it without letting it.
  const run = async (path: string, stopAt = 0): Promise<string[]> => {
    const args = ['-c', script, endpoint, staff.headers.authorization, path, join(folder, 'tuspy.json'), `${stopAt}`]
    return (await promisify(execFile)('/usr/bin/python3', args)).stdout.trim().split('\n')
  }

  it('sends a file in pieces, stops, and goes on in another run', async () => {
    const path = join(folder, 'tuspy.dcm')
    writeFileSync(path, object(11))
    expect(await run(path, 3000)).toEqual(['0', '3000'])
    expect(await run(path)).toEqual(['3000', String(object(11).length)])
    expect([await isStored(11), waiting()]).toEqual([true, []])
  })
})
