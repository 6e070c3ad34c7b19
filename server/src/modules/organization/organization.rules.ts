import type { License, LicenseAssignment } from '@dmp/contract/organization'
import { isBuiltIn } from '@dmp/contract/organization'
import type { Conflict } from '../../db/optimisticLock.ts'
import { Refusal, notFound } from '../../core/errors.ts'

/** 6.09: nothing of this is offered for the provider's own organization, without which nobody could undo it. */
export function refuseBuiltIn(organization: { readonly id: string }, done: string): void {
  if (isBuiltIn(organization))
    throw new Refusal(409, 'BUILT_IN_ORGANIZATION', `The provider's own organization cannot be ${done}.`)
}

/** Names of deactivated organizations are not given again. */
export function nameTaken(path: string): Refusal {
  const message = 'There is an organization with this name already.'
  return new Refusal(409, 'NAME_TAKEN', message, [{ path, message }])
}

export interface LicenseChange {
  /** Where in the call it stands. */
  readonly index: number
  readonly license: License
  readonly wanted: LicenseAssignment
}

/** 3.08: one per app, and only licenses that there are. */
export function licenseChanges(assignments: readonly LicenseAssignment[], known: readonly License[]): LicenseChange[] {
  const taken = new Set<string>()
  return assignments.map((wanted, index) => {
    const license = known.find(({ licenseId }) => licenseId === wanted.licenseId.toLowerCase())
    if (!license) throw notFound()
    const message = `Give one license for ${license.saas}.`
    if (taken.has(license.saas))
      throw new Refusal(400, 'INVALID', message, [{ path: `licenses.${index}.licenseId`, message }])
    taken.add(license.saas)
    return { index, license, wanted }
  })
}

export function licenseClashes({ index, license, wanted }: LicenseChange): Conflict[] {
  const shown = (flag: boolean) => (flag ? 'on' : 'off')
  return [
    {
      path: `licenses.${index}.isActive`,
      label: `${license.saas} active`,
      now: shown(license.isActive),
      wanted: shown(wanted.isActive),
    },
    {
      path: `licenses.${index}.isAutomaticAnalysis`,
      label: `${license.saas} automatic analysis`,
      now: shown(license.isAutomaticAnalysis),
      wanted: shown(wanted.isAutomaticAnalysis),
    },
  ]
}
