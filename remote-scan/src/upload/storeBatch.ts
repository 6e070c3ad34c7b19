import { sendBytes } from '@dmp/kit'
import { toUploadOutcomes, type UploadOutcome } from './uploadOutcome.ts'

const boundary = 'dmp-upload-2f6c0b1d9a'

/** The files as one multipart/related body (STOW-RS, PS3.18 section 10.5); the browser streams them from disk. */
export function toMultipart(files: readonly Blob[]): Blob {
  const bodyParts = files.flatMap((file) => [`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`, file, '\r\n'])
  return new Blob([...bodyParts, `--${boundary}--\r\n`])
}

/**
 * Sends files into an organization in one request and returns the outcome of each, in their order.
 * Throws `CallError` when the request was refused or no answer came.
 */
export async function storeBatch(
  organizationId: string,
  files: readonly Blob[],
  onProgress: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<UploadOutcome[]> {
  const path = `/dicom-web/studies?organizationId=${encodeURIComponent(organizationId)}`
  const { text } = await sendBytes(path, toMultipart(files), {
    contentType: `multipart/related; type="application/dicom"; boundary=${boundary}`,
    accept: 'application/dicom+json',
    onProgress,
    signal,
  })
  return toUploadOutcomes(text, files.length)
}
