import type { scan } from '@dmp/contract'
import { sql } from 'kysely'
import type { Handler } from '../../../core/handlers.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getDatastore } from '../scan.repository.ts'

const already = 'The scans are already in this organization.'

export interface Destination {
  readonly id: string
  readonly name: string
}

/**
 * Unknown, deactivated and without a datastore are answered alike, so that guessing names tells nothing more (P02).
 * Names are unique without regard to case, and so are they found.
 */
export async function getDestination(
  { db }: Pick<Dependencies, 'db'>,
  name: string,
  sourceId: string,
): Promise<Destination> {
  const organization = await db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('status', '=', 'Activated')
    .where('datastore_id', 'is not', null)
    .executeTakeFirst()
  if (organization?.id === sourceId)
    throw new Refusal(409, 'SAME_ORGANIZATION', already, [{ path: 'dstOrganizationName', message: already }])
  if (organization) return organization
  const sentence =
    'No organization with this name can receive scans. Check the spelling, or ask the recipient whether their organization is activated and has a datastore.'
  throw new Refusal(404, 'NO_DESTINATION', sentence, [{ path: 'dstOrganizationName', message: sentence }])
}

interface DestinationHandlers {
  readonly findDestination: Handler<typeof scan.findDestination>
  readonly getTransferRegions: Handler<typeof scan.getTransferRegions>
}

export function destinationHandlers(deps: Dependencies): DestinationHandlers {
  return {
    async findDestination({ name, organizationId }, { viewer }) {
      const source = await getDatastore(deps.db, viewer, organizationId)
      return { name: (await getDestination(deps, name, source.organizationId)).name }
    },
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
