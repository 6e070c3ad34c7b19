import type { SignedFetch } from './signedFetch.ts'

/** Larger objects are sent in parts, each tried again by itself. S3 takes at most 10,000 of them. */
export const uploadPartBytes = 16 * 2 ** 20
const PARTS_AT_ONCE = 3
const MOST_PARTS = 10_000

/** Sends a large object; it is there as a whole or not at all, because only the last call makes it visible. */
export async function uploadMultipart(signed: SignedFetch, url: string, body: Blob): Promise<void> {
  const started = await (await signed.send({ method: 'POST', url: `${url}?uploads=` })).text()
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec(started)?.[1] ?? ''
  try {
    const size = Math.max(uploadPartBytes, Math.ceil(body.size / MOST_PARTS))
    const count = Math.ceil(body.size / size)
    const tags: string[] = []
    const waiting = Array.from({ length: count }, (_, index) => index)
    const lane = async (): Promise<void> => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        const answer = await signed.send({
          method: 'PUT',
          url: `${url}?partNumber=${index + 1}&uploadId=${encodeURIComponent(id)}`,
          body: body.slice(index * size, (index + 1) * size),
          headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
        })
        await answer.body?.cancel()
        tags[index] = answer.headers.get('etag') ?? ''
      }
    }
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, lane))
    const list = tags
      .map(
        (tag, index) =>
          `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`,
      )
      .join('')
    const answer = await (
      await signed.send({
        method: 'POST',
        url: `${url}?uploadId=${encodeURIComponent(id)}`,
        body: `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`,
      })
    ).text()
    // This call may fail behind its status line.
    if (answer.includes('<Error>'))
      throw new Error(`The parts were not put together: ${/<Code>(\w+)/.exec(answer)?.[1] ?? 'unknown'}`)
  } catch (cause) {
    await signed
      .send({ method: 'DELETE', url: `${url}?uploadId=${encodeURIComponent(id)}`, acceptedStatuses: [404] })
      .catch(() => undefined)
    throw cause
  }
}
