import { organization, type Activation } from '@dmp/contract'
import { activationMayFollow } from '@dmp/contract/user'
import type { Organization } from '@dmp/contract/organization'
import { refuseIfChanged } from '../../db/changeConflict.ts'
import { refuseUniqueViolation } from '../../db/uniqueViolation.ts'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { endSessions } from '../../identity/sessions.ts'
import { createDatastoreId } from './addCustomer.ts'
import { alertRulesHandlers } from './organization.alertRules.ts'
import { exportHandlers } from './export/export.handlers.ts'
import { importHandlers } from './import/import.handlers.ts'
import { addHandler } from './organization.add.ts'
import { logoHandlers } from './organization.logo.ts'
import {
  getOrganization,
  getOrganizationRow,
  listActivated,
  listLicenses,
  listOrganizations,
  lockOrganization,
  setDatastore,
  setLicenses,
  setName,
  setStatus,
  withLicenses,
} from './organization.repository.ts'
import { setupHandlers } from './setup/setup.handlers.ts'
import { listLicenseConflicts, nameTaken, refuseBuiltIn, toLicenseChanges } from './organization.rules.ts'

type All = Handlers<typeof organization>

export const organizationHandlers = (deps: Dependencies): All => ({
  ...readHandlers(deps),
  ...changeHandlers(deps),
  ...alertRulesHandlers(deps),
  ...logoHandlers(deps),
  ...setupHandlers(deps),
  ...exportHandlers(deps),
  ...importHandlers(deps),
  add: addHandler(deps),
  activate: ({ id }, context) => changeStatus(deps, context, id, 'Activated'),
  deactivate: ({ id }, context) => changeStatus(deps, context, id, 'Deactivated'),
})

const readHandlers = ({
  db,
  replicas,
}: Dependencies): Pick<All, 'list' | 'listActivated' | 'get' | 'datastoreExists' | 'listLicenses'> => ({
  list: (input, { viewer }) =>
    replicas.read(organization.list, viewer, (copy) => listOrganizations(copy, viewer, input)),
  listActivated: (_input, { viewer }) => listActivated(db, viewer),
  get: ({ id }, { viewer }) => getOrganization(db, viewer, id),
  datastoreExists: async ({ id }, { viewer }) => ({
    organizationExists: (await getOrganizationRow(db, viewer, id)).datastore_id !== null,
  }),
  listLicenses: async ({ id }, { viewer }) => listLicenses(db, (await getOrganizationRow(db, viewer, id)).id),
})

const changeHandlers = ({ write }: Dependencies): Pick<All, 'update' | 'createDatastore' | 'assignLicenses'> => ({
  update: ({ id, updatedOrganizationName: name, seenUpdatedDate }, context) =>
    write(context, async ({ trx, audit, announce }) => {
      const previousOrganization = await lockOrganization(trx, context.viewer, id)
      refuseBuiltIn(previousOrganization, 'renamed')
      refuseIfChanged('this organization', previousOrganization.updated_date, seenUpdatedDate, () => [
        { path: 'updatedOrganizationName', now: previousOrganization.name, wanted: name },
      ])
      const changedOrganization = await refuseUniqueViolation(
        'organizations_name',
        () => nameTaken('updatedOrganizationName', 'Choose another name.'),
        setName(trx, previousOrganization, name),
      )
      // Cached viewers hold the name of their organization.
      await announce({ kind: 'viewersChanged', organizationIds: [previousOrganization.id] })
      await audit({
        event: 'OrganizationRenamed',
        organizationId: previousOrganization.id,
        subject: { from: previousOrganization.name, to: name },
      })
      return withLicenses(trx, changedOrganization)
    }),

  createDatastore: ({ id }, context) =>
    write(context, async ({ trx, audit, announce }) => {
      const previousOrganization = await lockOrganization(trx, context.viewer, id)
      refuseBuiltIn(previousOrganization, 'given a datastore')
      if (previousOrganization.datastore_id !== null)
        throw new Refusal(409, 'DATASTORE_EXISTS', `${previousOrganization.name} already has a datastore.`)
      await setDatastore(trx, previousOrganization, createDatastoreId())
      // Who was refused a moment ago finds it at once.
      await announce({ kind: 'viewersChanged', organizationIds: [previousOrganization.id] })
      await audit({ event: 'DatastoreCreated', organizationId: previousOrganization.id })
      return { organizationExists: true }
    }),

  assignLicenses: ({ id, licenses, seenUpdatedDate }, context) =>
    write(context, async ({ trx, audit }) => {
      const previousOrganization = await lockOrganization(trx, context.viewer, id)
      refuseBuiltIn(previousOrganization, 'given licenses')
      const changes = toLicenseChanges(licenses, await listLicenses(trx, previousOrganization.id))
      refuseIfChanged('the licenses of this organization', previousOrganization.updated_date, seenUpdatedDate, () =>
        changes.flatMap(listLicenseConflicts),
      )
      const changedOrganization = await setLicenses(trx, previousOrganization, licenses)
      await audit({
        event: 'LicensesAssigned',
        organizationId: previousOrganization.id,
        subject: {
          licenses: changes.map(({ license, wanted }) => ({
            saas: license.saas,
            isActive: wanted.isActive,
            isAutomaticAnalysis: wanted.isAutomaticAnalysis,
          })),
        },
      })
      return withLicenses(trx, changedOrganization)
    }),
})

/**
 * 4.03: refuses an organization that already has the status. Deactivating signs its people out at once and keeps them
 * from signing in.
 */
async function changeStatus(
  { write }: Dependencies,
  context: Context,
  id: string,
  status: Activation,
): Promise<Organization> {
  return write(context, async (change) => {
    const { trx, audit, announce } = change
    const previousOrganization = await lockOrganization(trx, context.viewer, id)
    refuseBuiltIn(previousOrganization, status.toLowerCase())
    if (!activationMayFollow(previousOrganization.status, status))
      throw new Refusal(409, 'UNCHANGED', `${previousOrganization.name} is already ${status.toLowerCase()}.`)
    const changedOrganization = await setStatus(trx, previousOrganization, status, context.viewer.fullName)
    await announce({ kind: 'viewersChanged', organizationIds: [previousOrganization.id] })
    if (status === 'Deactivated')
      await endSessions(change, { organizationId: previousOrganization.id }, 'organization deactivated')
    await audit({
      event: status === 'Activated' ? 'OrganizationActivated' : 'OrganizationDeactivated',
      organizationId: previousOrganization.id,
    })
    return withLicenses(trx, changedOrganization)
  })
}
