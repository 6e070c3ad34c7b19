import * as v from 'valibot'

/** Codes of an address, by the name that the route gives them. */
export type Secrets = Readonly<Partial<Record<string, string>>>

/** A tab that is left open gives them to nobody later; the server's own limits are shorter or longer. */
const keptMs = 15 * 60_000

const Text = v.string('Text.')
const Kept = v.object({ until: v.number('A number.'), secrets: v.record(Text, Text) })
const toKey = (path: string): string => `reloaded:${path}`

/** Codes that a reload of the same tab may find again: session storage dies with the tab and is sent nowhere. */
export const reloadedSecrets = {
  keep(path: string, secrets: Secrets): void {
    const isKnown = Object.values(secrets).some(Boolean)
    try {
      if (isKnown) sessionStorage.setItem(toKey(path), JSON.stringify({ until: Date.now() + keptMs, secrets }))
    } catch {
      // Blocked storage: a reload asks for the link again.
    }
  },
  read(path: string): Secrets | undefined {
    try {
      const kept = v.safeParse(Kept, JSON.parse(sessionStorage.getItem(toKey(path)) ?? 'null'))
      return kept.success && kept.output.until > Date.now() ? kept.output.secrets : undefined
    } catch {
      return undefined
    }
  },
  forget(path: string): void {
    try {
      sessionStorage.removeItem(toKey(path))
    } catch {
      // Blocked storage holds none.
    }
  },
}
