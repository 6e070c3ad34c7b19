import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { ShareLink } from '@dmp/contract/scan'
import { useAct, useLookup, personName } from '@dmp/kit'
import { ConfirmModal, DateText, ErrorAlert, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Button, notify } from '@dmp/kit/ui'
import { scansText } from '../shared/counts.ts'
import { VisitsText } from './VisitsText.tsx'

/** Why a link opens nothing any more; undefined while it does. */
export function findEnd(link: ShareLink, now = Date.now()): string | undefined {
  if (link.revokedDate !== null) return endWords.revoked
  if (Date.parse(link.expireDate) <= now) return endWords.expired
  // Whoever opened it may still be looking: until that is over, it can be revoked.
  const isOver = link.openUntilDate === null || Date.parse(link.openUntilDate) <= now
  return isUsedUp(link) && isOver ? endWords.usedUp : undefined
}

const isUsedUp = ({ maxUses, uses }: ShareLink): boolean => maxUses !== null && uses >= maxUses

const endWords = { revoked: 'Revoked', expired: 'Expired', usedUp: 'Used up' }

/** The links that open this scan, each with who has seen it; Revoke ends one at once, in open pages too. */
export function ShareLinksSection({ organizationId, seriesUID }: { organizationId: string; seriesUID: string }) {
  const { data: links = [], error: missing, refetch } = useLookup(scan.listShares, { organizationId, seriesUID })
  const {
    act: revoke,
    busy,
    error,
    reset,
  } = useAct(scan.revokeShare, {
    refreshes: [scan.listShares],
    onDone: () => {
      setRevoking(undefined)
      notify.success('Share link revoked')
    },
  })
  const [revoking, setRevoking] = useState<ShareLink>()
  const [isOpen, setIsOpen] = useState(false)
  const active = links.filter((link) => findEnd(link) === undefined)
  const ended = links.filter((link) => findEnd(link) !== undefined)
  const revokeColumn: Column<ShareLink> = {
    title: 'Revoke',
    acts: true,
    value: () => '',
    render: (row) => (
      <Button size="small" danger onClick={() => setRevoking(row)}>
        Revoke
      </Button>
    ),
  }
  return (
    <>
      {(active.length > 0 || missing) && (
        <Section title="Active share links">
          <ErrorAlert error={missing} onRetry={refetch} />
          {active.length > 0 && (
            <LinkTable label="Active share links" links={active} columns={[...columns, revokeColumn]} />
          )}
        </Section>
      )}
      {revoking && (
        <ConfirmModal
          title="Revoke the share link"
          confirmLabel="Revoke"
          danger
          busy={busy}
          error={error}
          onErrorClose={reset}
          onConfirm={() => void revoke({ id: revoking.id })}
          onClose={() => setRevoking(undefined)}
        >
          {revoking.recipient !== null && (
            <p>
              Sent to <bdi>{revoking.recipient}</bdi>
            </p>
          )}
          <p>It opens nothing any more, at once and in open pages, and cannot be given back: share again instead.</p>
        </ConfirmModal>
      )}
      {ended.length > 0 && (
        <Section title={`Ended share links (${ended.length})`} collapsible open={isOpen} onToggle={setIsOpen}>
          <LinkTable
            label="Ended share links"
            links={ended}
            columns={[...columns, { title: 'Status', value: (row) => findEnd(row) ?? '' }]}
          />
        </Section>
      )}
    </>
  )
}

const columns: readonly Column<ShareLink>[] = [
  {
    title: 'Shared',
    value: (row) => personName(row.createdByUser),
    render: (row) => (
      <span className="share-lines">
        <bdi>{personName(row.createdByUser)}</bdi>
        {row.recipient !== null && (
          <small>
            <bdi>to {row.recipient}</bdi>
          </small>
        )}
        <small>
          <bdi>{scansText(row.scans)}</bdi>
        </small>
      </span>
    ),
  },
  {
    title: 'Valid until',
    value: (row) => row.expireDate,
    render: (row) => <DateText value={row.expireDate} format="moment" />,
  },
  {
    title: 'Access',
    value: (row) => formatAccess(row).join(', '),
    render: (row) => (
      <span className="share-lines">
        {formatAccess(row).map((line) => (
          <bdi key={line}>{line}</bdi>
        ))}
      </span>
    ),
  },
  {
    title: 'Seen',
    value: (row) => row.uses,
    render: (row) => (
      <span className="share-lines">
        <VisitsText link={row} />
        {isUsedUp(row) && findEnd(row) === undefined && (
          <small>
            <bdi>
              Used up, but open until <DateText value={row.openUntilDate} format="moment" /> where it was opened
            </bdi>
          </small>
        )}
      </span>
    ),
  },
]

const formatAccess = (link: ShareLink): string[] => [
  ...(link.isPaused ? ['Opens nothing while its sender is deactivated'] : []),
  toSecretText(link),
  toUseText(link),
]
const toSecretText = ({ hasCode, hasPassword }: ShareLink): string =>
  hasCode ? 'Code by mail' : hasPassword ? 'Password' : 'No password'
const toUseText = ({ allowsDownload }: ShareLink): string => (allowsDownload ? 'Download allowed' : 'View only')

interface LinkTableProps {
  readonly label: string
  readonly links: readonly ShareLink[]
  readonly columns: readonly Column<ShareLink>[]
}

const LinkTable = ({ label, links, columns: shown }: LinkTableProps) => (
  <SimpleTable rows={links} columns={[...shown]} label={label} rowKey={(row) => row.id} />
)
