import { provider, regions } from '@dmp/contract/examples'
import type { SeedPart } from '../seed.ts'

export const seedBase: SeedPart = async ({ db }) => {
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
