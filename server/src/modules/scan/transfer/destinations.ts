import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'

export interface Destination {
  readonly id: string
  readonly name: string
}

/**
 * Wrong, deactivated and without a datastore answer alike, so that names cannot be tried out for more than they tell
 * (P02).
 */
export async function getDestination({ db }: Dependencies, name: string): Promise<Destination> {
  const found = await db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('name', '=', name)
    .where('status', '=', 'Activated')
    .where('datastore_id', 'is not', null)
    .executeTakeFirst()
  if (found) return found
  const sentence = 'There is no organization of this name that can receive scans.'
  throw new Refusal(404, 'NO_DESTINATION', sentence, [{ path: 'dstOrganizationName', message: sentence }])
}

interface Destinations {
  readonly findDestination: Handler<typeof scan.findDestination>
  readonly getTransferRegions: Handler<typeof scan.getTransferRegions>
}

export function destinationHandlers(deps: Dependencies): Destinations {
  return {
    findDestination: async ({ name }) => ({ name: (await getDestination(deps, name)).name }),
    getTransferRegions: async () => {
      const rows = await deps.db
        .selectFrom('regions')
        .select(['id', 'name'])
        .where('is_active', '=', true)
        .orderBy('position')
        .execute()
      // One installation serves all of its regions: every one is reached at the same address.
      return rows.map((row) => ({ ...row, transferEndpoint: `${deps.publicUrl()}/api/Scan/transfer` }))
    },
  }
}
