import { useQuery } from '@tanstack/react-query'
import { tokenToSend } from './call.ts'
import { authorization } from '../transport/authorization.ts'
import { parseJson, toCallError } from '../transport/failures.ts'

/**
 * Loads a picture that only signed-in users may see, as an address for `<img src>`: undefined while it loads and when
 * there is none.
 * An `<img>` alone could not send the session's token. Without a path, nothing is loaded.
 *
 * @example const src = usePicture(`/dicom-web/studies/${studyUID}/series/${seriesUID}/thumbnail`)
 */
export function usePicture(path: string | undefined): string | undefined {
  return useQuery({
    queryKey: ['picture', path],
    queryFn: ({ signal }) => readPicture(path ?? '', signal),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  }).data
}

async function readPicture(path: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(path, {
    signal,
    headers: { Accept: 'image/jpeg, image/png', ...authorization(tokenToSend()) },
  })
  if (!response.ok) throw toCallError(response, parseJson(await response.text()))
  const picture = await response.blob()
  // A data URL needs no clean-up, unlike an object URL.
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('The picture could not be read.'))
    reader.readAsDataURL(picture)
  })
}
