import { organization } from '@dmp/contract'
import { useCan, useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { ErrorAlert, Facts, Section } from '@dmp/kit/screen'
import { Skeleton, StatusBadge } from '@dmp/kit/ui'

const mailWords = {
  sent: 'the mail has left',
  waiting: 'the mail is still waiting to be sent',
  over: 'their temporary password is over; reset it to send another one',
  none: 'no mail is on record; reset the temporary password to send one',
} as const

const toInvitationText = (email: string, mail: string): string => `${email} is invited; ${mail}`

/** What the approval made, as it is now, and what is left to do. */
export function Approved({ organizationId: id }: { organizationId: string }) {
  const mayGet = useCan(organization.get)
  const { data, error, refetch } = useLookup(organization.getReadiness, { id }, { enabled: mayGet })
  if (!mayGet) return null
  return (
    <Section title="What became of it" extra={<Link to={`/organization/detail/${id}`}>Open the organization</Link>}>
      <ErrorAlert error={error} onRetry={refetch} />
      {!data && !error && <Skeleton rows={3} title={false} />}
      {data && (
        <Facts
          facts={[
            { label: 'Organization status', value: <StatusBadge value={data.status} /> },
            {
              label: 'Datastore',
              value: data.hasDatastore ? 'Created: scans can be uploaded' : 'Not created: nothing can be uploaded yet',
            },
            { label: 'Licenses', value: data.saas.join(', ') },
            {
              label: 'Administrator',
              value:
                data.confirmedAdministrators > 0
                  ? 'Has signed in'
                  : data.invitation
                    ? toInvitationText(data.invitation.email, mailWords[data.invitation.mail])
                    : 'Nobody can sign in; add an administrator',
            },
            { label: 'Left to do', value: listLeft(data) },
          ]}
        />
      )}
    </Section>
  )
}

function listLeft({ status, hasDatastore, confirmedAdministrators }: organization.Readiness): string {
  const left = [
    ...(status === 'Activated' ? [] : ['Activate the organization.']),
    ...(hasDatastore ? [] : ['Create its datastore.']),
    ...(confirmedAdministrators > 0 ? [] : ['Wait until its administrator signs in.']),
  ]
  return left.join(' ') || 'Nothing. The customer can work.'
}
