import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'

export interface Destination {
  readonly id: string
  readonly name: string
}

/** Unknown, deactivated and without a datastore are answered alike, so that guessing names tells nothing more (P02). */
export async function getDestination({ db }: Dependencies, name: string): Promise<Destination> {
  const organization = await db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('name', '=', name)
    .where('status', '=', 'Activated')
    .where('datastore_id', 'is not', null)
    .executeTakeFirst()
  if (organization) return organization
  const sentence = 'No organization with this name can receive scans.'
  throw new Refusal(404, 'NO_DESTINATION', sentence, [{ path: 'dstOrganizationName', message: sentence }])
}

interface DestinationHandlers {
  readonly findDestination: Handler<typeof scan.findDestination>
  readonly getTransferRegions: Handler<typeof scan.getTransferRegions>
}

export function destinationHandlers(deps: Dependencies): DestinationHandlers {
  return {
    findDestination: async ({ name }) => ({ name: (await getDestination(deps, name)).name }),
    getTransferRegions: async () => {
      const rows = await deps.db
        .selectFrom('regions')
        .select(['id', 'name'])
        .where('is_active', '=', true)
        .orderBy('position')
        .execute()
      // One installation serves all its regions, at the same address.
      return rows.map((row) => ({ ...row, transferEndpoint: `${deps.publicUrl()}/api/Scan/transfer` }))
    },
  }
}
