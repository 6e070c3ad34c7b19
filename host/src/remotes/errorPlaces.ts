import { toApiAddress } from '@dmp/contract/apiAddress'
import { mostFrames, reportErrors, type ErrorFrame, type PageError } from '@dmp/contract/releaseErrors'
import { toErrorName, toSafeMessage } from '@dmp/contract/safeMessage'
import { settings } from '@dmp/kit'

/** In the life of a page: one that throws on and on tells nothing new. */
const mostTold = 5
const told = new Set<string>()

interface Thrown {
  readonly part: string
  readonly releaseId: string
  readonly name: string
  readonly message: string
  readonly stack: string
}

/**
 * Tells the server where in the files of a release an error was thrown, each place once. What could name somebody is
 * taken out before anything leaves the page; where its person was, and who that is, is not told at all.
 */
export function tellError({ part, releaseId, name, message, stack }: Thrown): void {
  const frames = listFrames(stack, part, releaseId)
  if (frames.length === 0 || told.size === mostTold || typeof navigator.sendBeacon !== 'function') return
  const error: PageError = { part, releaseId, name: toErrorName(name), message: toSafeMessage(message), frames }
  const text = JSON.stringify({ errors: [error] })
  if (told.has(text)) return
  told.add(text)
  const address = new URL(toApiAddress(settings(), reportErrors.definition.path), document.baseURI)
  navigator.sendBeacon(address, new Blob([text], { type: 'application/json' }))
}

/** The places of a stack in the release's own files; every browser writes them as `address:line:column`. */
function listFrames(stack: string, part: string, releaseId: string): ErrorFrame[] {
  const [, ...places] = stack.split(`/${part}/${releaseId}/`)
  return places
    .flatMap((place) => {
      const [, file, line, column] = /^([\w@./-]{1,200}):(\d{1,7}):(\d{1,8})/.exec(place) ?? []
      return file === undefined ? [] : [{ file, line: Number(line), column: Number(column) }]
    })
    .slice(0, mostFrames)
}
