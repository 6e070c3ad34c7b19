import { permits, type Answer, type Endpoint, type Input } from '@dmp/contract/endpoint'
import { call, refresh, session, updateCache } from '@dmp/kit'
import { notify } from './notify.ts'

export interface Undo<E extends Endpoint> {
  /** The call that gives back exactly what was there. */
  readonly by: E
  readonly input: Input<E>
  /** Calls whose answers it makes old, as of `useAct`. */
  readonly refreshes: readonly Endpoint[]
  /** What is said once everything is back. */
  readonly toText: (answer: Answer<E>) => string
}

/**
 * Says what was done, and offers to take it back to whoever may make that call. Not for what only looks the same
 * afterwards: where a secret or a link has ended, or others were told, `notify.success` says what was done.
 *
 * @example offerUndo('Logo removed', { by: organization.setLogo, input, refreshes: [], toText: () => 'Logo restored' })
 */
export function offerUndo<E extends Endpoint>(done: string, undo: Undo<E> | undefined): void {
  const { user } = session.get()
  if (undo && user && permits(user.policy, undo.by.definition.needs))
    notify.success(done, { label: 'Undo', onAct: () => void takeBack(undo) })
  else notify.success(done)
}

/** Makes the call that gives back what was there, and says so, or why not. */
export async function takeBack<E extends Endpoint>({ by, input, refreshes, toText }: Undo<E>): Promise<void> {
  try {
    // Whoever may no longer do it is told so, and stays on the page.
    const answer = await call(by, input, { isQuiet: true })
    updateCache(by, { input, answer, refreshes })
    notify.success(toText(answer))
  } catch (cause) {
    notify.error(cause instanceof Error ? cause.message : String(cause))
    // Most refusals say that it has changed meanwhile.
    const { renews } = by.definition
    refresh(renews ? [renews, ...refreshes] : refreshes)
  }
}
