import { organization, registration } from '@dmp/contract'
import { dataWord, useData, useLookup, personName, useCan } from '@dmp/kit'
import { Link, useParams } from '@dmp/kit/router'
import { DateText, Detail, Facts, Screen, Section } from '@dmp/kit/screen'
import { Alert, StatusBadge } from '@dmp/kit/ui'
import { Approved } from './Approved.tsx'
import { RegistrationActions } from './RegistrationActions.tsx'

export function RegistrationDetailScreen() {
  const { id = '' } = useParams()
  // The same call as the content's, which shows its wait and its error.
  const { data: item } = useLookup(registration.get, { id })
  const heading = 'Registration Detail'
  return (
    <Screen
      title={item?.organizationName ?? heading}
      documentTitle={heading}
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Registration', url: '/registration' },
        { name: item?.organizationName ?? 'Detail' },
      ]}
    >
      <RegistrationDetail id={id} />
    </Screen>
  )
}

/** Known before somebody presses Approve, which would be refused. */
function SameName({ id, organizationName }: { id: string; organizationName: string }) {
  const mayOpen = useCan(organization.get)
  return (
    <Alert
      type="warning"
      showIcon
      role="status"
      title={`There is already an organization with the name ${organizationName}.`}
      description={
        <>
          It cannot be approved under this name. Reject the registration with a comment that asks for another name.{' '}
          {mayOpen && <Link to={`/organization/detail/${id}`}>Open the organization</Link>}
        </>
      }
    />
  )
}

function RegistrationDetail({ id }: { id: string }) {
  const item = useData(registration.get, { id })
  const { contactInfo: contact, registrationStatus: status } = item
  return (
    <Detail side={<RegistrationActions item={item} />}>
      {item.sameNameId && <SameName {...item} id={item.sameNameId} />}
      <Section title="Registration Details">
        <Facts
          facts={[
            { label: 'Organization', value: item.organizationName },
            { label: 'Region', value: item.region && dataWord(item.region) },
            { label: 'Name', value: `${dataWord(contact.civility)} ${contact.firstName} ${contact.lastName}` },
            { label: 'Email', value: <a href={`mailto:${contact.email}`}>{contact.email}</a> },
            { label: 'Mobile', value: contact.mobile },
            { label: 'Landline', value: contact.landline },
            { label: 'Fax', value: contact.fax },
            { label: 'Registration Date', value: <DateText value={item.createdDate} format="moment" /> },
          ]}
        />
      </Section>
      <Section title="Status">
        <Facts
          facts={[
            { label: 'Status', value: <StatusBadge value={item.status} /> },
            ...(item.status === 'New'
              ? []
              : [
                  { label: 'On', value: <DateText value={status.createdDate} format="moment" /> },
                  { label: 'By', value: status.createdByUser && personName(status.createdByUser) },
                ]),
            ...(item.status === 'Rejected' ? [{ label: 'Comment', value: status.comment }] : []),
          ]}
        />
      </Section>
      {item.status === 'Approved' && item.organizationId && <Approved organizationId={item.organizationId} />}
    </Detail>
  )
}
