import { audit } from '@dmp/contract'
import type { AuditCheck } from '@dmp/contract/audit'
import { formatNumber, personName, useAct, useCan, useLookup } from '@dmp/kit'
import { DateText, ErrorAlert, Section } from '@dmp/kit/screen'
import { Alert, Button, Skeleton, StatusBadge } from '@dmp/kit/ui'
import { useEvery } from '@dmp/kit/table'
import './chain.css'

const progressIntervalMs = 1500

/** Whether the records are those that were written: the verdict of the last check, and a button for a new one. */
export function ChainSection() {
  return useCan(audit.check) && <Chain />
}

function Chain() {
  const { data, error, isPending, isFetching, refetch } = useLookup(audit.getLastCheck, {})
  const { act: check, busy, error: refusal } = useAct(audit.check, { refreshes: [audit.list] })
  const isRunning = data?.check?.state === 'running'
  useEvery(isRunning && !isFetching ? progressIntervalMs : undefined, refetch)
  const button = (
    <Button loading={busy || isRunning} onClick={() => isRunning || void check({})}>
      {isRunning ? 'Checking…' : 'Check now'}
    </Button>
  )
  return (
    <Section title="Audit chain" extra={button}>
      <ErrorAlert error={error} onRetry={refetch} />
      <ErrorAlert error={refusal} />
      {isPending && <Skeleton rows={1} />}
      {data && <div aria-live="polite">{data.check ? <Verdict check={data.check} /> : <NeverChecked />}</div>}
    </Section>
  )
}

const NeverChecked = () => (
  <p className="audit-chain">
    <StatusBadge value="Not checked yet" tone="secondary" />
    <span className="dmp-quiet">
      A check reads every record and finds any that was changed, deleted or added behind the platform.
    </span>
  </p>
)

function Verdict({ check }: { check: AuditCheck }) {
  if (check.state === 'running')
    return (
      <p className="audit-chain">
        <StatusBadge value="Checking" tone="primary" />
        <span>{recordsText(check.rows)} so far. You can leave this page.</span>
      </p>
    )
  if (check.state === 'stopped')
    return (
      <p className="audit-chain">
        <StatusBadge value="No verdict" tone="warning" />
        <span>
          The check of <DateText value={check.requestedAt} format="moment" /> has no verdict: it was interrupted, or its
          verdict was changed in the database. Check again.
        </span>
      </p>
    )
  return (
    <>
      {check.state === 'broken' && <Breaks check={check} />}
      <p className="audit-chain">
        {check.state === 'intact' && <Judgement heads={check.heads} />}
        <span>
          {recordsText(check.rows)}
          {check.isWhole && ` of ${chainsText(check.chains)}`}, checked{' '}
          <DateText value={check.finishedAt} format="moment" />
          {check.requestedBy && ` by ${personName(check.requestedBy)}`}.
        </span>
        <span className="dmp-quiet">
          {check.heads === 0
            ? 'No heads were found outside of the database, so deleted newest records cannot be seen. Ask the operator for the heads.'
            : `Compared with ${headsText(check.heads)} kept outside of the database.`}
        </span>
      </p>
    </>
  )
}

/** Records that agree may all have been made anew: only heads that are kept elsewhere show that they were not. */
const Judgement = ({ heads }: { heads: number }) =>
  heads > 0 ? <StatusBadge value="Intact" tone="success" /> : <StatusBadge value="Not judged" tone="warning" />

function Breaks({ check: { breaks, breakCount } }: { check: AuditCheck }) {
  const [first, ...others] = breaks
  if (first === undefined) return null
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={`The audit chain of ${first.organization} is broken at record ${first.position}.`}
      description={
        <>
          <p className="audit-chain-break">{first.text}</p>
          <p className="audit-chain-break">{first.advice}</p>
          {others.length > 0 && (
            <details>
              <summary>{breaksText(breakCount - 1)}</summary>
              <ul>
                {others.map(({ organization, position, text }, index) => (
                  <li key={`${index} ${organization} ${position}`}>
                    {organization}: {text}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      }
    />
  )
}

const recordsText = (count: number): string => (count === 1 ? '1 record' : `${formatNumber(count)} records`)
const chainsText = (count: number): string => (count === 1 ? '1 chain' : `${formatNumber(count)} chains`)
const headsText = (count: number): string => (count === 1 ? '1 head' : `${formatNumber(count)} heads`)
const breaksText = (count: number): string =>
  count === 1 ? '1 further break' : `${formatNumber(count)} further breaks`
