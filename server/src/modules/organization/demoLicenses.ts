import { northClinic, southClinic, westClinic } from '@dmp/contract/examples'
import type { SaasName } from '@dmp/contract/organization'
import { approvedOrganizations } from '../registration/demoRegistrations.ts'
import type { Dependencies } from '../../dependencies.ts'

type Entry = readonly [organizationId: string, saas: SaasName, isActive: boolean, isAutomaticAnalysis: boolean]

const entries: readonly Entry[] = [
  [northClinic.id, 'Autometrics', true, true],
  [northClinic.id, 'BMD', true, false],
  [northClinic.id, 'OssView', false, false],
  [southClinic.id, 'Autometrics', true, false],
  [southClinic.id, 'PeekMed', true, true],
  [southClinic.id, 'BMD', false, true],
  [westClinic.id, 'OssView', false, false],
  ...approvedOrganizations
    .slice(0, 3)
    .map(({ id }, index): Entry => [id, index === 1 ? 'BMD' : 'Autometrics', index !== 2, index === 0]),
]

/** Adds missing licenses only: changes by administrators stay. */
export async function seedDemoLicenses({ db }: Pick<Dependencies, 'db'>): Promise<void> {
  const licenses = await db.selectFrom('licenses').selectAll().execute()
  const getLicenseId = (saas: SaasName): string => licenses.find((license) => license.saas === saas)?.id ?? ''
  await db
    .insertInto('organization_licenses')
    .values(
      entries.map(([organizationId, saas, isActive, isAutomatic]) => ({
        organization_id: organizationId,
        license_id: getLicenseId(saas),
        is_active: isActive,
        is_automatic_analysis: isAutomatic,
      })),
    )
    .onConflict((conflict) => conflict.columns(['organization_id', 'license_id']).doNothing())
    .execute()
}
