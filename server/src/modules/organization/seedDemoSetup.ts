import { providerOrganizationId } from '@dmp/contract/organization'
import type { Dependencies } from '../../dependencies.ts'

/** The demo is set up already: its provider sees the checklist on its own page only. */
export async function seedDemoSetup({ db }: Dependencies): Promise<void> {
  await db
    .insertInto('setup_facts')
    .values({ organization_id: providerOrganizationId, name: 'dismissed', is_good: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
