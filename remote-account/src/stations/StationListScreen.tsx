import { useMemo, useState } from 'react'
import { apiToken, station } from '@dmp/contract'
import { limits } from '@dmp/contract/limits'
import type { Station, StatusName } from '@dmp/contract/station'
import { useAct, useCan } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { ConfirmModal, DateText, Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button, notify, StatusBadge, type BadgeTone } from '@dmp/kit/ui'

type Row = RowOf<typeof station.list>

const tones: Readonly<Record<StatusName, BadgeTone>> = {
  Idle: 'success',
  Sending: 'info',
  Paused: 'warning',
  Failing: 'danger',
  Refused: 'warning',
  Silent: 'secondary',
}

const dayMs = 86_400_000

/** What the list shows of a station whose API token is good no longer, however it told last; undefined for others. */
function toEnding({ tokenStatus }: Station): { readonly text: string; readonly tone: BadgeTone } | undefined {
  if (tokenStatus === 'Ended') return { text: 'Token ended', tone: 'danger' }
  if (tokenStatus === 'Expired') return { text: 'Token expired', tone: 'warning' }
  if (tokenStatus === 'Suspended') return { text: 'Token suspended', tone: 'warning' }
  return undefined
}

/** What warns of the end of its API token, as soon as somebody should renew it; undefined before. */
function toWarning({ tokenExpiresDate }: Station): string | undefined {
  const days = Math.floor((Date.parse(tokenExpiresDate ?? '') - Date.now()) / dayMs)
  if (!(days >= 0 && days < limits.apiTokenEndsSoonDays)) return undefined
  if (days === 0) return 'Token ends today'
  return days === 1 ? 'Token ends in 1 day' : `Token ends in ${days} days`
}

/** Green only where everything went in, and where more can go in. */
function StationStatus(row: Station) {
  const ending = toEnding(row)
  if (ending)
    return (
      <>
        <StatusBadge value={ending.text} tone={ending.tone} /> <TokenLink {...row} />
      </>
    )
  const warning = toWarning(row)
  if (warning === undefined) return <ToldStatus {...row} />
  return (
    <>
      <ToldStatus {...row} /> <StatusBadge value={warning} tone="warning" /> <TokenLink {...row} />
    </>
  )
}

function ToldStatus({ status, refused }: Station) {
  // Servers of before say that it is idle.
  if (refused > 0 && (status === 'Refused' || status === 'Idle'))
    return <StatusBadge value={`${refused} refused`} tone={tones.Refused} />
  return <StatusBadge value={status} tone={tones[status as StatusName] ?? 'secondary'} />
}

function TokenLink({ account, tokenId }: Station) {
  const maySee = useCan(apiToken.get)
  return maySee ? <Link to={`/account/api-tokens/detail/${tokenId}`}>{account}</Link> : <bdi>{account}</bdi>
}

const toVersionText = ({ version, isOutdated }: Station): string =>
  isOutdated ? `${version} (a newer one is there)` : version

const columns: Column<Row>[] = [
  { title: 'Name', field: 'name' },
  {
    title: 'Status',
    field: 'status',
    type: 'status',
    value: (row) => toEnding(row)?.text ?? row.status,
    render: (row) => <StationStatus {...row} />,
  },
  // With the time: what was not heard for ten minutes is silent.
  {
    title: 'Last seen',
    field: 'lastSeenDate',
    type: 'date',
    width: 225,
    render: ({ lastSeenDate }) => <DateText value={lastSeenDate} format="moment" />,
  },
  { title: 'Waiting', field: 'waiting' },
  { title: 'Not sent', field: 'failed' },
  { title: 'Refused', field: 'refused' },
  // A setting: neither answer is better.
  {
    title: 'De-identifies',
    value: ({ isDeidentifying }) => isDeidentifying ?? false,
    tone: () => 'secondary',
    sort: false,
  },
  { title: 'Version', field: 'version', value: toVersionText },
  { title: 'System', value: ({ system }) => system, sort: false, hidden: true },
  { title: 'Signed in as', value: ({ account }) => account, sort: false, hidden: true },
  { title: 'Token until', field: 'tokenExpiresDate', type: 'date', sort: false, hidden: true },
  { title: 'From address', value: ({ address }) => address, sort: false, hidden: true },
  { title: 'Organization', field: 'organization', hidden: true },
]

const toRemoval = (onRemove: (row: Row) => void): Column<Row> => ({
  title: 'Remove',
  acts: true,
  value: () => '',
  sort: false,
  render: (row) => (
    <Button aria-label={`Remove ${row.name}`} onClick={() => onRemove(row)}>
      Remove
    </Button>
  ),
})

/** Machines with an uploader, as each told of itself last. */
export function StationListScreen() {
  const mayRemove = useCan(station.remove)
  const [leaving, setLeaving] = useState<Row>()
  const shown = useMemo(() => (mayRemove ? [...columns, toRemoval(setLeaving)] : columns), [mayRemove])
  return (
    <Screen title="Stations" breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Stations' }]}>
      <p>
        Each uploader tells once a minute how it is: what waits, what failed, its version. It tells numbers alone, no
        names of files and no patients. A station that was not heard for ten minutes is silent.
      </p>
      <DataTable endpoint={station.list} columns={shown} label="Stations" rowKey={(row) => row.id} />
      <p>
        <Link to="/scan/upload">Get the uploader</Link>
      </p>
      {leaving && <RemoveStationModal item={leaving} onClose={() => setLeaving(undefined)} />}
    </Screen>
  )
}

function RemoveStationModal({ item, onClose }: { readonly item: Row; readonly onClose: () => void }) {
  const { act, busy, error, reset } = useAct(station.remove, {
    refreshes: [station.list],
    onDone: () => {
      notify.success(`${item.name} removed`)
      onClose()
    },
  })
  return (
    <ConfirmModal
      title="Remove station"
      confirmLabel="Remove station"
      danger
      busy={busy}
      error={error}
      onErrorClose={reset}
      onConfirm={() => void act({ id: item.id })}
      onClose={onClose}
    >
      <p>
        {item.name} leaves the list. If its uploader still runs, it comes back with its next report; to keep it out, end
        its API token.
      </p>
    </ConfirmModal>
  )
}
