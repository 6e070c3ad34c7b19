import { isDeepStrictEqual } from 'node:util'
import type { Endpoint, User } from '@dmp/contract'
import type { Server } from '../app.ts'
import { fullName, toUser } from '../identity/user.ts'

/** Who owns what a profile says: names, roles, statuses. */
const owners = /^\/(?:Account|BusinessUser|Organization|Registration)\b/i

interface Remembered {
  /** The person of the token is known to the server from now on. */
  add(token: string, userId: string): void
  /** Makes the call, and looks before and after it at what the server remembers of everybody who is signed in. */
  during<T>(call: Endpoint, make: () => Promise<T>): Promise<T>
  /** What was remembered as it had been before a call. */
  readonly found: readonly string[]
}

/**
 * Watches whether a change is told to those who remember whom it is about. Whoever asks first after a change gets the
 * new name by chance, so that a forgotten word to the others shows in no test of the change alone.
 */
export function watchRemembered({ deps: { db, viewers } }: Server): Remembered {
  const people = new Map<string, string>()
  const found: string[] = []

  const readAll = async (): Promise<ReadonlyMap<string, User>> => {
    const rows = await db
      .selectFrom('users')
      .innerJoin('organizations', 'organizations.id', 'users.organization_id')
      .selectAll('users')
      .select('organizations.name as organization_name')
      .where('users.id', 'in', [...new Set(people.values())])
      .execute()
    return new Map(rows.map((row) => [row.id, toUser(row, { withPolicy: true })]))
  }
  /** As a page that is open elsewhere; who is not known any more, or who reads anew, has nothing old. */
  const look = async (token: string, now: User | undefined): Promise<User | undefined> => {
    const viewer = now && (await viewers.of(token))
    if (!viewer) return undefined
    const profile = await viewers.getProfile(viewer, () => Promise.resolve(now))
    return viewer.fullName === fullName(toNames(now)) && viewer.role === now.role.role
      ? profile
      : { ...profile, id: '' }
  }

  return {
    add: (token, userId) => void people.set(token, userId),
    async during({ definition: { method, path } }, make) {
      if (method === 'GET' || !owners.test(path) || people.size === 0) return make()
      const before = await readAll()
      for (const [token, userId] of people) await look(token, before.get(userId))
      const reply = await make()
      const after = await readAll()
      for (const [token, userId] of people) {
        const now = after.get(userId)
        if (isDeepStrictEqual(before.get(userId), now)) continue
        const remembered = await look(token, now)
        if (remembered && !isDeepStrictEqual(toSaid(remembered), toSaid(now)))
          found.push(`after ${method} ${path}, who ${now?.email} is, as it was before`)
      }
      return reply
    },
    found,
  }
}

const toNames = ({ civility, firstName, lastName }: User) => ({ civility, first_name: firstName, last_name: lastName })

/** Without what each change moves on. */
const toSaid = (user: User | undefined): unknown => user && { ...user, updatedDate: undefined }
