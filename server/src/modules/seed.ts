import type { Dependencies } from '../dependencies.ts'
import { seedBase } from './organization/seedProvider.ts'
import { seedDemoAccounts } from './account/demoAccounts.ts'
import { seedDemoComplaints } from './complaint/demoComplaints.ts'
import { seedDemoLicenses } from './organization/demoLicenses.ts'
import { seedDemoRegistrations } from './registration/demoRegistrations.ts'
import { seedDemoUsers } from './businessUser/demoUsers.ts'

/** One part of the seed. It runs at every start and adds only what is missing. */
export type SeedPart = (deps: Dependencies) => Promise<void>

/** What every installation has: roles are code, regions and the provider's own organization are rows. */
const always: readonly SeedPart[] = [seedBase]

/** What demo mode has besides. Add a file, then a line here. */
const demo: readonly SeedPart[] = [
  seedDemoAccounts,
  seedDemoUsers,
  seedDemoRegistrations,
  seedDemoLicenses,
  seedDemoComplaints,
]

export async function seed(deps: Dependencies): Promise<void> {
  for (const part of deps.settings.isDemo ? [...always, ...demo] : always) await part(deps)
}
