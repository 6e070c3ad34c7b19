import { toApiAddress } from '@dmp/contract/apiAddress'
import { settings } from '../settings.ts'

/** The absolute URL of a path of the API, wherever the API of this deployment is. */
export function toApiUrl(path: string): URL {
  return new URL(toApiAddress(settings(), path), document.baseURI)
}
