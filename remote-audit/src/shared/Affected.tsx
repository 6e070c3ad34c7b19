import type { AuditRow } from '@dmp/contract/audit'
import { personName } from '@dmp/kit'
import { Link } from '@dmp/kit/router'

/** Whom the event is about, as a way to that person; nothing where it is about nobody whom the viewer may see. */
export function Affected({ row: { affected } }: { readonly row: Pick<AuditRow, 'affected'> }) {
  if (!affected) return null
  return (
    <Link to={`/user/detail/${affected.id}`} title={affected.email}>
      <bdi>{personName(affected.fullName)}</bdi>
    </Link>
  )
}
