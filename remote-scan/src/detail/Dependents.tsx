import { scan } from '@dmp/contract'
import type { Answer } from '@dmp/contract/endpoint'
import { useLookup, personName } from '@dmp/kit'
import { ErrorAlert, formatDate } from '@dmp/kit/screen'
import { Alert } from '@dmp/kit/ui'
import { scansText } from '../shared/counts.ts'

interface DependentsProps {
  readonly organizationId: string
  readonly seriesUIDs: readonly string[]
}

/** What ends with the scans: links that others hold, and transfers that have not left or not arrived. */
export function Dependents({ organizationId, seriesUIDs }: DependentsProps) {
  const { data, error, refetch } = useLookup(scan.listDependents, { organizationId, seriesIdList: [...seriesUIDs] })
  if (error) return <ErrorAlert error={error} onRetry={refetch} />
  if (!data || data.links.length + data.transfers.length === 0) return null
  return (
    <Alert
      type="warning"
      showIcon
      role="status"
      className="scan-dependents"
      title="This ends with it:"
      description={
        <ul>
          {data.transfers.map((transfer) => (
            <li key={transfer.id}>{transferText(transfer)}</li>
          ))}
          {data.links.map((link) => (
            <li key={link.id}>{linkText(link)}</li>
          ))}
        </ul>
      }
    />
  )
}

type Found = Answer<typeof scan.listDependents>

const transferText = ({ dstOrganizationName: to, createdByUser: by, scans }: Found['transfers'][number]): string =>
  `The transfer to ${to} by ${personName(by)}: ${scansText(scans)} will not arrive.`

function linkText({ recipient, createdByUser: by, expireDate, goesOn }: Found['links'][number]): string {
  const until = formatDate(expireDate, 'short')
  if (recipient === null)
    return goesOn
      ? `A share link by ${personName(by)}, valid until ${until}: it goes on with its other scans.`
      : `A share link by ${personName(by)}, valid until ${until}.`
  return goesOn
    ? `The share link for ${recipient} by ${personName(by)}, valid until ${until}: it goes on with its other scans.`
    : `The share link for ${recipient} by ${personName(by)}, valid until ${until}.`
}
