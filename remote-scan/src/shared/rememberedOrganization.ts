import { preferences, session } from '@dmp/kit'
import { tableHistory } from '@dmp/kit/table'

/** By id: an address that stays after a sign-out would tell the next person who was here. */
const toName = (): string => `scan-organization:${session.get().tokens?.userId ?? ''}`

const listeners = new Set<(id: string) => void>()

/** The organization that this person looked at last. The list forgets it at a sign-out and in other modules. */
export const rememberedOrganization = {
  read: (): string | null => tableHistory.selectedOrganization('scan') ?? preferences.read(toName()),
  write(id: string): void {
    tableHistory.selectOrganization('scan', id)
    preferences.write(toName(), id)
    for (const tell of listeners) tell(id)
  },
  /** Calls it when another is chosen anywhere on the page. Returns a function that ends this. */
  subscribe(tell: (id: string) => void): () => void {
    listeners.add(tell)
    return () => void listeners.delete(tell)
  },
  /** One that nobody chose stays, too, when another comes to stand before it. */
  keep(id: string): void {
    if (rememberedOrganization.read() !== id) preferences.write(toName(), id)
  },
}
