import { sql } from 'kysely'
import type { Dependencies } from '../../../dependencies.ts'
import { hasQuota, quotaBytes } from '../intake/quota.ts'
import type { TransferRow } from './transfer.repository.ts'

/** Nobody asks a receiver: what one sender may take of its room, and what all of them together may. */
const shares = { sender: 1 / 4, all: 1 / 2 } as const

/**
 * Whether the scan may take room of the receiver's quota. Without this, whoever knows an
 * organization by name could fill it up until its own uploads are refused.
 */
export async function mayTakeRoom(
  { db, settings }: Pick<Dependencies, 'db' | 'settings'>,
  { organization_id: sender, destination_id: receiver }: TransferRow,
  seriesUID: string,
): Promise<boolean> {
  if (!hasQuota(settings)) return true
  const { rows } = await sql<{ scan: string; sent: string; received: string }>`
    select (select coalesce(sum(byte_size), 0) from instances
        where organization_id = ${sender} and series_uid = ${seriesUID}) as scan,
      coalesce(sum(i.byte_size) filter (where t.organization_id = ${sender}), 0) as sent,
      coalesce(sum(i.byte_size), 0) as received
    from transfers t
    join transfer_scans c on c.transfer_id = t.id and c.new_series_uid is not null
    join instances i on i.organization_id = t.destination_id and i.series_uid = c.new_series_uid
    where t.destination_id = ${receiver}`.execute(db)
  const [{ scan = 0, sent = 0, received = 0 } = {}] = rows
  const quota = quotaBytes(settings)
  return Number(sent) + Number(scan) <= quota * shares.sender && Number(received) + Number(scan) <= quota * shares.all
}
