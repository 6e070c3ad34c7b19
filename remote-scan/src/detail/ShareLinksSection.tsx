import { scan } from '@dmp/contract'
import type { ShareLink } from '@dmp/contract/scan'
import { useAct, useLookup } from '@dmp/kit'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Button, notify } from '@dmp/kit/ui'

/** Whether the link still permits downloads. */
export const isActive = ({ revokedDate, expireDate, maxUses, uses }: ShareLink, now = Date.now()): boolean =>
  revokedDate === null && Date.parse(expireDate) > now && (maxUses === null || uses < maxUses)

/** The links of this scan that still work, each with its use so far; Revoke ends one at once. */
export function ShareLinksSection({ organizationId, seriesUID }: { organizationId: string; seriesUID: string }) {
  const { data: links = [], error: missing, refetch } = useLookup(scan.listShares, { organizationId, seriesUID })
  const {
    act: revoke,
    busy,
    error,
  } = useAct(scan.revokeShare, { refreshes: [scan.listShares], onDone: () => notify.success('Share link revoked') })
  const active = links.filter((link) => isActive(link))
  const columns: Column<ShareLink>[] = [
    { title: 'Created By', field: 'createdByUser' },
    { title: 'Valid until', field: 'expireDate', type: 'date' },
    { title: 'Password', value: (row) => (row.hasPassword ? 'Yes' : 'No') },
    { title: 'Downloads', value: (row) => (row.maxUses === null ? row.uses : `${row.uses} of ${row.maxUses}`) },
    { title: 'Last used', field: 'lastUsedDate', type: 'date' },
    {
      title: 'Revoke',
      value: () => '',
      render: (row) => (
        <Button size="small" danger disabled={busy} onClick={() => void revoke({ id: row.id })}>
          Revoke
        </Button>
      ),
    },
  ]
  if (active.length === 0 && !missing) return null
  return (
    <Section title="Active share links">
      <ErrorAlert error={missing} onRetry={refetch} />
      <ErrorAlert error={error} />
      {active.length > 0 && (
        <SimpleTable rows={active} columns={columns} label="Active share links" rowKey={(row) => row.id} />
      )}
    </Section>
  )
}
