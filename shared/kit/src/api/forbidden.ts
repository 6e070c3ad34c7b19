import type { Endpoint } from '@dmp/contract/endpoint'

type Listener = (path: string) => void
const listeners = new Set<Listener>()

/** Announces the page that a refused call leads to (8.01); the call's path names module and action. */
export function announceForbidden({ definition }: Endpoint): void {
  const [module = '', action = ''] = definition.path.split('/').filter(Boolean)
  for (const listener of listeners)
    listener(`/not-authorized/${encodeURIComponent(module)}/${encodeURIComponent(action)}`)
}

/** Calls the listener with the page that a 403 leads to; the router listens. Returns a function that stops it. */
export function onForbidden(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
