import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBucket } from '@dmp/bucket'
import { Archive } from './archive/archive.ts'

/** A store that sends everybody on to another host, and that host. */
let redirecting: Server
let other: Server
let askedElsewhere = 0
let status = 307
const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
let url: string
beforeAll(async () => {
  other = createServer((incoming, reply) => {
    askedElsewhere += 1
    incoming.resume()
    reply.writeHead(200).end()
  })
  const location = await listen(other)
  redirecting = createServer((incoming, reply) => {
    incoming.resume()
    reply.writeHead(status, { location }).end()
  })
  url = await listen(redirecting)
})
afterAll(() => {
  redirecting.close()
  other.close()
})

describe.each([301, 302, 303, 307, 308])('a store that answers %i', (answered) => {
  beforeEach(() => {
    status = answered
    askedElsewhere = 0
  })

  it('is not followed by the DICOM archive’s client, which names the cure [P23]', async () => {
    const archive = new Archive({ url, token: 'a-secret-token', deletes: 'dicomweb' })
    const instance = { organizationId: 'a', studyUID: '1', seriesUID: '1.1', sopInstanceUID: '1.1.1' }
    await expect(archive.store(instance, new Blob(['patient']))).rejects.toThrow('Set DMP_DICOMWEB_URL to its final')
    await expect(archive.get(instance)).rejects.toThrow('which is never followed')
    expect(askedElsewhere).toBe(0)
  })

  it('is not followed by the bucket’s client, which names the cure [P23]', async () => {
    const keys = { region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' }
    const bucket = openBucket({ ...keys, endpoint: url, bucket: 'dmp', isPathStyle: true, prefix: '' })
    await expect(bucket.put('key', Buffer.from('patient'))).rejects.toThrow('Correct DMP_S3_ENDPOINT.')
    await expect(bucket.get('key')).rejects.toThrow('which is never followed')
    expect(askedElsewhere).toBe(0)
  })
})
