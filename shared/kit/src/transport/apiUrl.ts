import { settings } from '../settings.ts'

/** The address of a path of the API, wherever the settings place the API. */
export function toApiUrl(path: string): URL {
  return new URL(settings().apiRoot.replace(/\/$/, '') + path, document.baseURI)
}
