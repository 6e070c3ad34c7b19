import { provider, regions } from '@dmp/contract/examples'
import type { Dependencies } from '../../dependencies.ts'

/** Adds the regions and the provider's own organization, which every installation has. */
export async function seedProvider({ db }: Pick<Dependencies, 'db'>): Promise<void> {
  await db
    .insertInto('regions')
    .values(
      regions.map((region, position) => ({
        id: region.id,
        name: region.name,
        is_default: region.isDefault,
        is_active: region.isActive,
        position,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('organizations')
    .values({ id: provider.id, name: provider.name, region_id: regions[0]?.id ?? null, status_by: 'System' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
