import { randomUUID } from 'node:crypto'
import type { Activation, organization } from '@dmp/contract'
import { activationMayFollow } from '@dmp/contract/user'
import type { Organization } from '@dmp/contract/organization'
import { nextUpdatedDate, refuseIfChanged } from '../../db/optimisticLock.ts'
import { refuseUniqueViolation } from '../../db/uniqueViolation.ts'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { endSessions } from '../../identity/sessions.ts'
import {
  getOrganization,
  getOrganizationRow,
  listActivated,
  listLicenses,
  listOrganizations,
  lockOrganization,
  rename,
  setDatastore,
  setLicenses,
  setStatus,
} from './organization.repository.ts'
import { licenseChanges, licenseClashes, nameTaken, refuseBuiltIn } from './organization.rules.ts'

export const organizationHandlers = (deps: Dependencies): Handlers<typeof organization> => ({
  ...reading(deps),
  ...changing(deps),
  activate: ({ id }, context) => changeStatus(deps, context, id, 'Activated'),
  deactivate: ({ id }, context) => changeStatus(deps, context, id, 'Deactivated'),
})

type Reading = 'list' | 'listActivated' | 'get' | 'datastoreExists' | 'listLicenses'

const reading = ({ db }: Dependencies): Pick<Handlers<typeof organization>, Reading> => ({
  list: (input, { viewer }) => listOrganizations(db, viewer, input),
  listActivated: (_input, { viewer }) => listActivated(db, viewer),
  get: ({ id }, { viewer }) => getOrganization(db, viewer, id),
  datastoreExists: async ({ id }, { viewer }) => ({
    organizationExists: (await getOrganizationRow(db, viewer, id)).datastore_id !== null,
  }),
  listLicenses: async ({ id }, { viewer }) => listLicenses(db, (await getOrganizationRow(db, viewer, id)).id),
})

const changing = ({
  write,
  bus,
}: Dependencies): Pick<Handlers<typeof organization>, 'update' | 'createDatastore' | 'assignLicenses'> => ({
  update: ({ id, updatedOrganizationName: name, seenUpdatedDate }, context) =>
    write(context, async ({ trx, audit, afterwards }) => {
      const before = await lockOrganization(trx, context.viewer, id)
      refuseBuiltIn(before, 'renamed')
      refuseIfChanged('this organization', before.updated_date, seenUpdatedDate, () => [
        { path: 'updatedOrganizationName', now: before.name, wanted: name },
      ])
      await refuseUniqueViolation(
        'organizations_name',
        () => nameTaken('updatedOrganizationName'),
        rename(trx, before.id, name, nextUpdatedDate(before.updated_date)),
      )
      // Profiles name their organization.
      afterwards(() => bus.publish({ kind: 'viewersChanged', organizationIds: [before.id] }))
      await audit({ event: 'OrganizationRenamed', organizationId: before.id, subject: { from: before.name, to: name } })
      return getOrganization(trx, context.viewer, before.id)
    }),

  createDatastore: ({ id }, context) =>
    write(context, async ({ trx, audit }) => {
      const before = await lockOrganization(trx, context.viewer, id)
      refuseBuiltIn(before, 'given a datastore')
      if (before.datastore_id !== null)
        throw new Refusal(409, 'DATASTORE_EXISTS', `${before.name} has a datastore already.`)
      await setDatastore(trx, before.id, randomUUID().replaceAll('-', ''), nextUpdatedDate(before.updated_date))
      await audit({ event: 'DatastoreCreated', organizationId: before.id })
      return { organizationExists: true }
    }),

  assignLicenses: ({ id, licenses, seenUpdatedDate }, context) =>
    write(context, async ({ trx, audit }) => {
      const before = await lockOrganization(trx, context.viewer, id)
      refuseBuiltIn(before, 'given licenses')
      const changes = licenseChanges(licenses, await listLicenses(trx, before.id))
      refuseIfChanged('the licenses of this organization', before.updated_date, seenUpdatedDate, () =>
        changes.flatMap(licenseClashes),
      )
      await setLicenses(trx, before.id, licenses, nextUpdatedDate(before.updated_date))
      await audit({
        event: 'LicensesAssigned',
        organizationId: before.id,
        subject: {
          licenses: changes.map(({ license, wanted }) => ({
            saas: license.saas,
            isActive: wanted.isActive,
            isAutomaticAnalysis: wanted.isAutomaticAnalysis,
          })),
        },
      })
      return getOrganization(trx, context.viewer, before.id)
    }),
})

/**
 * 4.03: of an organization that is not so already. Whoever belongs to a deactivated one is signed out at once and gets
 * in no more.
 */
async function changeStatus(
  { write, bus }: Dependencies,
  context: Context,
  id: string,
  status: Activation,
): Promise<Organization> {
  return write(context, async (change) => {
    const { trx, audit, afterwards } = change
    const before = await lockOrganization(trx, context.viewer, id)
    refuseBuiltIn(before, status.toLowerCase())
    if (!activationMayFollow(before.status, status))
      throw new Refusal(409, 'UNCHANGED', `${before.name} is ${status.toLowerCase()} already.`)
    await setStatus(trx, before.id, status, context.viewer.fullName, nextUpdatedDate(before.updated_date))
    afterwards(() => bus.publish({ kind: 'viewersChanged', organizationIds: [before.id] }))
    if (status === 'Deactivated')
      await endSessions(change, bus, { organizationId: before.id }, 'organization deactivated')
    await audit({
      event: status === 'Activated' ? 'OrganizationActivated' : 'OrganizationDeactivated',
      organizationId: before.id,
    })
    return getOrganization(trx, context.viewer, before.id)
  })
}
