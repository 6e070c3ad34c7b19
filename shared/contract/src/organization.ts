import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { ChosenId, Uuid, newOrganizationName, seenUpdatedDate, exact } from './fields.ts'
import { DatastoreCheck, License, Organization, OrganizationChoice } from './organizationEntities.ts'
import { pageQuery } from './paging.ts'

export * from './alertRules.ts'
export * from './organizationEntities.ts'
export * from './organizationExport.ts'
export * from './organizationImport.ts'
export * from './organizationLogo.ts'
export * from './setup.ts'

const Flag = v.boolean('Must be true or false.')

/** 5.11: the rule for a new name. */
export const OrganizationRename = exact({
  updatedOrganizationName: newOrganizationName(() => 'Please enter a new organization name.'),
})
export type OrganizationRename = v.InferOutput<typeof OrganizationRename>

/** 3.08: an entry of the license assignment. */
export const LicenseAssignment = exact({ licenseId: ChosenId, isActive: Flag, isAutomaticAnalysis: Flag })
export type LicenseAssignment = v.InferOutput<typeof LicenseAssignment>

const byId = exact({ id: Uuid })
const sortable = ['status', 'name'] as const

/** 7.28, 2.51: the list of organizations. */
export const list = endpoint({
  method: 'GET',
  path: '/Organization/list',
  summary: 'Organizations.',
  needs: may('Organization', 'List'),
  query: exact(pageQuery(sortable)),
  answer: v.array(Organization, 'A list.'),
  sortable,
})
/** 7.28, 6.05: for the organization dropdown of the scan list. */
export const listActivated = endpoint({
  method: 'GET',
  path: '/Organization/listActivated',
  summary: 'Activated organizations, by name.',
  needs: may('Organization', 'ListActivated'),
  answer: v.array(OrganizationChoice, 'A list.'),
})
/** 7.28: one organization by id. */
export const get = endpoint({
  method: 'GET',
  path: '/Organization/get',
  summary: 'One organization with its licenses.',
  needs: may('Organization', 'Get'),
  query: byId,
  answer: Organization,
})
/** 7.29: renames an organization. */
export const update = endpoint({
  method: 'PUT',
  path: '/Organization/update/:id',
  summary: 'Rename an organization.',
  needs: may('Organization', 'Update'),
  params: byId,
  body: exact({ ...OrganizationRename.entries, seenUpdatedDate }),
  answer: Organization,
  renews: get,
})
/** 7.30: returns the activated organization. */
export const activate = endpoint({
  method: 'PUT',
  path: '/Organization/activate/:id',
  summary: 'Activate an organization.',
  needs: may('Organization', 'Activate'),
  params: byId,
  answer: Organization,
  renews: get,
})
/** 7.30: signs its users out and keeps them out. */
export const deactivate = endpoint({
  method: 'PUT',
  path: '/Organization/deactivate/:id',
  summary: 'Deactivate an organization and sign its users out.',
  needs: may('Organization', 'DeActivate'),
  params: byId,
  answer: Organization,
  renews: get,
})
/** 7.31: checks whether the datastore exists. */
export const datastoreExists = endpoint({
  method: 'GET',
  path: '/Organization/datastoreExists',
  summary: 'Whether the organization has a datastore.',
  needs: may('Organization', 'Get'),
  query: byId,
  answer: DatastoreCheck,
})
/** 7.32: creates the missing datastore. */
export const createDatastore = endpoint({
  method: 'POST',
  path: '/Organization/createDatastore',
  summary: 'Create the datastore of an organization.',
  needs: may('Organization', 'CreateDatastore'),
  query: byId,
  answer: DatastoreCheck,
  renews: datastoreExists,
})
/** 7.33, 3.08: one entry per distinct SaaS. */
export const assignLicenses = endpoint({
  method: 'POST',
  path: '/Organization/assignLicenses/:id',
  summary: 'Assign licenses to add-on apps, one per app.',
  needs: may('Organization', 'AssignLicenses'),
  params: byId,
  body: exact({
    licenses: v.pipe(
      v.array(LicenseAssignment, 'The licenses must be a list.'),
      v.maxLength(100, 'Too many licenses.'),
    ),
    seenUpdatedDate,
  }),
  answer: Organization,
  renews: get,
})
/** 7.34: the licenses of an organization. */
export const listLicenses = endpoint({
  method: 'POST',
  path: '/Organization/listLicenses/:id',
  summary: 'Licenses that the organization has or may have.',
  needs: may('Organization', 'ListLicenses'),
  params: byId,
  answer: v.array(License, 'A list.'),
})
