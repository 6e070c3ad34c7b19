import { authorization } from '../transport/authorization.ts'
import { parseJson, toCallError } from '../transport/failures.ts'
import { tokenToSend } from './call.ts'

/**
 * Saves a file that only signed-in users may have, under a name of the caller's. It is never shown as a page: what it
 * holds came from elsewhere.
 *
 * @example await saveDocument(`/dicom-web/…/bulkdata/00420011`, 'report.pdf')
 */
export async function saveDocument(path: string, name: string): Promise<void> {
  const response = await fetch(path, {
    headers: { Accept: 'application/octet-stream', ...authorization(tokenToSend()) },
  })
  if (!response.ok) throw toCallError(response, parseJson(await response.text()))
  const url = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
