import { Semaphore } from './semaphore.ts'
import type { SignedFetch } from './signedFetch.ts'

// "Part" here is S3's own word: UploadPart sends one piece of an object (CreateMultipartUpload,
// CompleteMultipartUpload).

/** Larger objects are sent in several upload parts, each of which is retried separately. */
export const uploadPartBytes = 16 * 2 ** 20
const concurrentUploadParts = 3
/** The limit of S3. */
const maxUploadParts = 10_000

/** Sends a large object. It becomes visible with the last call, so it is there completely or not at all. */
export async function uploadMultipart(signed: SignedFetch, url: string, body: Blob): Promise<void> {
  const created = await (await signed.send({ method: 'POST', url: `${url}?uploads=` })).text()
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec(created)?.[1]
  // Without it a store may take a part for the object itself, and the end of the upload for the object's.
  if (id === undefined) throw new Error('The bucket gave no name to the upload. Nothing was stored; try again.')
  const uploadUrl = `${url}?uploadId=${encodeURIComponent(id)}`
  try {
    const etags = await sendUploadParts(signed, uploadUrl, body)
    await completeUpload(signed, uploadUrl, etags)
  } catch (cause) {
    await signed.send({ method: 'DELETE', url: uploadUrl, acceptedStatuses: [404] }).catch(() => undefined)
    throw cause
  }
}

/** Returns the ETag of each upload part. After a failure no further part starts. */
async function sendUploadParts(signed: SignedFetch, uploadUrl: string, body: Blob): Promise<string[]> {
  const size = Math.max(uploadPartBytes, Math.ceil(body.size / maxUploadParts))
  const count = Math.ceil(body.size / size)
  const semaphore = new Semaphore(concurrentUploadParts)
  let failure: unknown
  const sendPart = async (index: number): Promise<string> => {
    if (failure !== undefined) throw failure
    try {
      const response = await signed.send({
        method: 'PUT',
        url: `${uploadUrl}&partNumber=${index + 1}`,
        body: body.slice(index * size, (index + 1) * size),
        headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      })
      await response.body?.cancel()
      return response.headers.get('etag') ?? ''
    } catch (cause) {
      failure ??= cause
      throw cause
    }
  }
  const sending = Array.from({ length: count }, (_, index) => semaphore.run(() => sendPart(index)))
  // Waits for the parts that are on their way, or they would outlive the upload that is discarded.
  await Promise.allSettled(sending)
  return Promise.all(sending)
}

async function completeUpload(signed: SignedFetch, uploadUrl: string, etags: readonly string[]): Promise<void> {
  const list = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
  )
  const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
  const result = await (await signed.send({ method: 'POST', url: uploadUrl, body })).text()
  // S3 may report a failure of this call in the body of a successful response.
  if (result.includes('<Error>')) {
    const code = /<Code>(\w+)/.exec(result)?.[1] ?? 'unknown'
    throw new Error(`The bucket could not assemble the uploaded object (${code}). Nothing was stored; try again.`)
  }
}
