import { organization } from '@dmp/contract'
import { dataWord, useData, personName } from '@dmp/kit'
import { DateText, Detail, Facts, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { StatusBadge } from '@dmp/kit/ui'
import { AlertRules } from './AlertRules.tsx'
import { DatastoreStatus } from './DatastoreStatus.tsx'
import { OrganizationActions } from './OrganizationActions.tsx'
import { OrganizationLogo } from './OrganizationLogo.tsx'
import { firstPerSaas } from './firstPerSaas.ts'

// 4.06, 4.07: automatic analysis reads Enabled or Disabled.
const columns: Column<organization.License>[] = [
  { title: 'SaaS', field: 'saas' },
  {
    title: 'Automatic Analysis',
    type: 'status',
    value: (license) => (license.isAutomaticAnalysis ? 'Enabled' : 'Disabled'),
  },
]

/**
 * Details, licenses and actions of an organization (2.52). The provider's own has no datastore and no actions (6.09).
 */
export function OrganizationDetail({ id, editPath }: { id: string; editPath: string }) {
  const item = useData(organization.get, { id })
  const isInternal = organization.isBuiltIn(item)
  const { organizationStatus } = item
  return (
    <Detail side={!isInternal && <OrganizationActions item={item} editPath={editPath} />}>
      <Section title="Organization Details">
        <Facts
          facts={[
            { label: 'Name', value: item.name },
            { label: 'Created Date', value: <DateText value={item.createdDate} format="moment" /> },
            ...(isInternal ? [] : [{ label: 'Datastore Status', value: <DatastoreStatus id={item.id} /> }]),
            { label: 'Updated Date', value: <DateText value={item.updatedDate} format="moment" /> },
            { label: 'Region', value: item.region && dataWord(item.region) },
          ]}
        />
      </Section>
      <Section title="Status">
        <Facts
          facts={[
            { label: 'Status', value: <StatusBadge value={item.status} /> },
            { label: 'On', value: <DateText value={organizationStatus.createdDate} format="moment" /> },
            { label: 'By', value: personName(organizationStatus.createdByUser) },
          ]}
        />
      </Section>
      {!isInternal && <OrganizationLogo item={item} />}
      {!isInternal && <AlertRules id={item.id} />}
      <Section title="Assigned SaaS">
        <SimpleTable
          rows={firstPerSaas(item.licenses).filter((license) => license.isActive)}
          columns={columns}
          label="Assigned SaaS"
          rowKey={(license) => license.id}
          emptyText="No SaaS is assigned to this organization."
        />
      </Section>
    </Detail>
  )
}
