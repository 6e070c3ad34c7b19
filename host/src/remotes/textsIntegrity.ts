import { language } from '@dmp/kit/language'

/**
 * The hash of what a release says in the page's language, by which the browser checks the file. The page tells it where
 * releases come from another origin; on its own the server compares each file before it sends it.
 */
export function textsIntegrity(part: string, releaseId: string): string | undefined {
  const told = document.getElementById('dmp-texts')?.textContent
  if (!told) return undefined
  const hashes = JSON.parse(told) as Readonly<Record<string, Readonly<Record<string, string>>>>
  return hashes[`${part}/${releaseId}`]?.[language()]
}
