import { useQuery } from '@tanstack/react-query'
import { tokenToSend } from './call.ts'
import { authorization } from '../transport/authorization.ts'
import { parseJson, toCallError } from '../transport/failures.ts'

/**
 * Loads a picture that only signed-in users may see, as an address for `<img src>`: undefined while it loads and when
 * there is none.
 * An `<img>` alone could not send the session's token. Without a path, nothing is loaded. Whatever else the page does
 * goes first: to ask for fifty pictures takes longer than to draw the rows that they belong to.
 *
 * @example const src = usePicture(`/dicom-web/studies/${studyUID}/series/${seriesUID}/thumbnail`)
 */
export function usePicture(path: string | undefined): string | undefined {
  return useQuery({
    queryKey: ['picture', path],
    queryFn: ({ signal }) => whenQuiet(() => readPicture(path ?? '', signal), signal),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  }).data
}

type PostTask = (task: () => Promise<string>, how: { priority: 'background'; signal: AbortSignal }) => Promise<string>

/** In a task of its own after all others, and none where it is given up before; at once in older browsers. */
function whenQuiet(ask: () => Promise<string>, signal: AbortSignal): Promise<string> {
  const { scheduler } = globalThis as { scheduler?: { postTask?: PostTask } }
  return scheduler?.postTask ? scheduler.postTask(ask, { priority: 'background', signal }) : ask()
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
