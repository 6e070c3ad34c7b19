import type { License, LicenseAssignment } from '@dmp/contract/organization'
import { isBuiltIn } from '@dmp/contract/organization'
import type { Conflict } from '../../db/changeConflict.ts'
import { Refusal, notFound } from '../../core/errors.ts'

/** 6.09: without the provider's own organization no user could undo these changes. */
export function refuseBuiltIn(organization: { readonly id: string }, done: string): void {
  if (isBuiltIn(organization))
    throw new Refusal(409, 'BUILT_IN_ORGANIZATION', `The provider's own organization cannot be ${done}.`)
}

/** Deactivated organizations keep their names. */
export function nameTaken(path: string, advice: string): Refusal {
  const message = `An organization with this name already exists. ${advice}`
  return new Refusal(409, 'NAME_TAKEN', message, [{ path, message }])
}

export interface LicenseChange {
  /** Position in the call. */
  readonly index: number
  readonly license: License
  readonly wanted: LicenseAssignment
}

/** 3.08: refuses unknown licenses and two for one app. */
export function toLicenseChanges(
  assignments: readonly LicenseAssignment[],
  licenses: readonly License[],
): LicenseChange[] {
  const assignedSaas = new Set<string>()
  return assignments.map((wanted, index) => {
    const license = licenses.find(({ licenseId }) => licenseId === wanted.licenseId.toLowerCase())
    if (!license) throw notFound()
    const message = `Assign only one license for ${license.saas}.`
    if (assignedSaas.has(license.saas))
      throw new Refusal(400, 'INVALID', message, [{ path: `licenses.${index}.licenseId`, message }])
    assignedSaas.add(license.saas)
    return { index, license, wanted }
  })
}

export function listLicenseConflicts({ index, license, wanted }: LicenseChange): Conflict[] {
  const formatFlag = (flag: boolean) => (flag ? 'on' : 'off')
  return [
    {
      path: `licenses.${index}.isActive`,
      label: `${license.saas} active`,
      now: formatFlag(license.isActive),
      wanted: formatFlag(wanted.isActive),
    },
    {
      path: `licenses.${index}.isAutomaticAnalysis`,
      label: `${license.saas} automatic analysis`,
      now: formatFlag(license.isAutomaticAnalysis),
      wanted: formatFlag(wanted.isAutomaticAnalysis),
    },
  ]
}
