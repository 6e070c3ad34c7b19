import { businessUser } from '@dmp/contract'
import { dataWord, useData, useLookup, personName } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { DateText, Detail, Facts, Screen, Section } from '@dmp/kit/screen'
import { ActivitySection } from '@dmp/kit/table'
import { StatusBadge } from '@dmp/kit/ui'
import { UserActions } from './UserActions.tsx'

// 2.61
const statusLabels = { on: 'on', by: 'by' } as const

export function UserDetailScreen() {
  const { id = '' } = useParams()
  // The same call as the content's, which shows its wait and its error.
  const { data: item } = useLookup(businessUser.get, { id })
  const heading = 'User Detail'
  return (
    <Screen
      title={item ? personName(item.fullName) : heading}
      documentTitle={heading}
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'User', url: '/user' },
        { name: item ? personName(item.fullName) : 'Detail' },
      ]}
    >
      <UserDetail id={id} />
    </Screen>
  )
}

function UserDetail({ id }: { id: string }) {
  const item = useData(businessUser.get, { id })
  return (
    <Detail side={<UserActions item={item} />}>
      <Section title="Details">
        <Facts
          facts={[
            { label: 'User Type', value: `${dataWord(item.role.roleDisplayName)} User` },
            { label: 'Name', value: `${dataWord(item.civility)} ${item.firstName} ${item.lastName}` },
            { label: 'Organization', value: item.organization.name },
            { label: 'Joined Date', value: <DateText value={item.createdDate} format="day" /> },
            { label: 'Email', value: <a href={`mailto:${item.email}`}>{item.email}</a> },
            { label: 'Landline', value: item.landline },
            { label: 'Mobile', value: item.mobile },
            { label: 'Fax', value: item.fax },
          ]}
        />
      </Section>
      <Section title="Status">
        <Facts
          facts={[
            { label: 'Status', value: <StatusBadge value={item.status.status} /> },
            { label: statusLabels.on, value: <DateText value={item.status.createdDate} format="moment" /> },
            { label: statusLabels.by, value: personName(item.status.createdByUser) },
          ]}
        />
      </Section>
      <ActivitySection of={{ affectedId: id }} />
      <ActivitySection of={{ actorId: id }} />
    </Detail>
  )
}
