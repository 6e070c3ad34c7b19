import { audit } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { CopyText, DateText, Facts, Screen, Section } from '@dmp/kit/screen'
import { toActor } from '@dmp/kit/table'
import { Alert, StatusBadge } from '@dmp/kit/ui'
import { Affected } from '../shared/Affected.tsx'
import { ChainSection } from '../shared/ChainSection.tsx'
import { formatEvent, formatField } from '../shared/auditTexts.ts'
import { formatFieldValue } from '../shared/auditValues.ts'
import { formatSubjectValue, isSaid } from '../shared/formatSubject.ts'

export function AuditDetailScreen() {
  const { id = '' } = useParams()
  return (
    <Screen
      title="Audit Detail"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Audit', url: '/audit' }, { name: 'Detail' }]}
    >
      <AuditDetail id={id} />
    </Screen>
  )
}

/** The record has the id, which stays as it is when somebody is called otherwise. */
function AffectedWhole({ item: { affected } }: { item: audit.AuditDetail }) {
  return (
    <>
      <Affected row={{ affected }} />
      <br />
      <bdi>{affected?.email}</bdi>
      <br />
      <bdi>{affected?.id}</bdi>
    </>
  )
}

function AuditDetail({ id }: { id: string }) {
  const item = useData(audit.get, { id })
  return (
    <>
      {!item.isIntact && (
        <Alert
          type="error"
          showIcon
          title="The audit chain is broken at this record."
          description="This record or the one before it was changed after it was written. Do not change the database, and inform the person responsible for security."
        />
      )}
      <Section title="Event">
        <Facts
          facts={[
            { label: 'Event', value: formatEvent(item.event) },
            {
              label: 'Outcome',
              value: (
                <StatusBadge
                  value={formatFieldValue(item.outcome)}
                  tone={item.outcome === 'success' ? 'success' : 'danger'}
                />
              ),
            },
            { label: 'Time', value: <DateText value={item.at} format="exact" /> },
            { label: 'Person', value: toActor(item) || null },
            { label: 'Email', value: item.actorEmail },
            { label: 'Organization', value: item.organization },
            { label: 'Address', value: item.address },
            { label: 'Request', value: <CopyText text={item.requestId} label="Request" /> },
          ]}
        />
      </Section>
      <Section title="Details">
        <Facts
          facts={item.subject.filter(isSaid).map((fact) => ({
            label: formatField(fact.key),
            value: fact.value === item.affected?.id ? <AffectedWhole item={item} /> : formatSubjectValue(fact),
          }))}
        />
      </Section>
      <Section title="Record">
        <Facts
          columns={1}
          facts={[
            { label: 'Sequence', value: item.position },
            { label: 'Hash', value: <CopyText text={item.hash} label="Hash" /> },
            {
              label: 'Previous hash',
              value: item.previousHash && <CopyText text={item.previousHash} label="Previous hash" />,
            },
          ]}
        />
      </Section>
      <ChainSection />
    </>
  )
}
