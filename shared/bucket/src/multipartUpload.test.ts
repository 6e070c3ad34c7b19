import { uploadMultipart, uploadPartBytes } from './multipartUpload.ts'
import type { Request, SignedFetch } from './signedFetch.ts'

/** Answers like S3, and notes the requests. */
function fakeS3(answer: (request: Request) => Response | undefined = () => undefined) {
  const requests: string[] = []
  const send = async (request: Request): Promise<Response> => {
    const { search } = new URL(request.url)
    requests.push(`${request.method} ${/partNumber=\d+/.exec(search)?.[0] ?? search.replace(/=.*/, '')}`)
    await Promise.resolve()
    return answer(request) ?? new Response('<UploadId>42</UploadId>', { headers: { etag: '"e"' } })
  }
  return { requests, signed: { send } as unknown as SignedFetch }
}
const body = new Blob([Buffer.alloc(5 * uploadPartBytes + 1)])

describe('a multipart upload', () => {
  it('sends every part once and then completes', async () => {
    const { requests, signed } = fakeS3()
    await uploadMultipart(signed, 'http://s3/key', body)
    const parts = [1, 2, 3, 4, 5, 6].map((part) => `PUT partNumber=${part}`)
    expect(requests).toEqual(['POST ?uploads', ...parts, 'POST ?uploadId'])
  })

  it('starts no further part after one has failed, and discards the upload', async () => {
    const { requests, signed } = fakeS3(({ url }) => {
      if (url.includes('partNumber=1')) throw new Error('refused')
      return undefined
    })
    await expect(uploadMultipart(signed, 'http://s3/key', body)).rejects.toThrow('refused')
    expect(requests).toEqual([
      'POST ?uploads',
      'PUT partNumber=1',
      'PUT partNumber=2',
      'PUT partNumber=3',
      'DELETE ?uploadId',
    ])
  })

  it('fails, and discards the upload, when S3 reports a failure behind a successful status', async () => {
    const { requests, signed } = fakeS3(({ method, url }) =>
      method === 'POST' && url.includes('uploadId')
        ? new Response('<Error><Code>InternalError</Code></Error>')
        : undefined,
    )
    await expect(uploadMultipart(signed, 'http://s3/key', body)).rejects.toThrow(
      'could not assemble the uploaded object (InternalError)',
    )
    expect(requests.at(-1)).toBe('DELETE ?uploadId')
  })

  it('sends nothing where S3 gives it no name', async () => {
    const { requests, signed } = fakeS3(() => new Response('<html>Welcome</html>'))
    await expect(uploadMultipart(signed, 'http://s3/key', body)).rejects.toThrow('gave no name to the upload')
    expect(requests).toEqual(['POST ?uploads'])
  })
})
