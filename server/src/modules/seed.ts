import type { Dependencies } from '../dependencies.ts'
import { seedDemoAccounts } from './account/demoAccounts.ts'
import { seedDemoUsers } from './businessUser/demoUsers.ts'
import { seedDemoComplaints } from './complaint/demoComplaints.ts'
import { seedDemoLicenses } from './organization/demoLicenses.ts'
import { seedDemoSetup } from './organization/seedDemoSetup.ts'
import { seedProvider } from './organization/seedProvider.ts'
import { seedDemoRegistrations } from './registration/demoRegistrations.ts'

/** Runs at every start; each seed adds only what is missing. A new seed takes a line here. */
export async function seed(deps: Dependencies): Promise<void> {
  await seedProvider(deps)
  if (!deps.settings.isDemo) return
  await seedDemoAccounts(deps)
  await seedDemoUsers(deps)
  await seedDemoRegistrations(deps)
  await seedDemoLicenses(deps)
  await seedDemoComplaints(deps)
  await seedDemoSetup(deps)
}
