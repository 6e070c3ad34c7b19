import type { Parts } from '../../parts.ts'
import { seedBase } from './base.ts'
import { seedDemoAccounts } from './demoAccounts.ts'
import { seedDemoComplaints } from './demoComplaints.ts'
import { seedDemoLicenses } from './demoLicenses.ts'
import { seedDemoRegistrations } from './demoRegistrations.ts'
import { seedDemoUsers } from './demoUsers.ts'

/** One part of the seed. It runs at every start and adds only what is missing. */
export type SeedPart = (parts: Parts) => Promise<void>

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

export async function seed(parts: Parts): Promise<void> {
  for (const part of parts.settings.isDemo ? [...always, ...demo] : always) await part(parts)
}
