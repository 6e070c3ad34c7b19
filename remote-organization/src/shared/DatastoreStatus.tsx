import { organization } from '@dmp/contract'
import { useLookup } from '@dmp/kit'
import { Skeleton, StatusBadge } from '@dmp/kit/ui'

/** Created, Not Created, or the error that the status is unknown (4.04, 8.07). */
export function DatastoreStatus({ id }: { id: string }) {
  const { data, error } = useLookup(organization.datastoreExists, { id })
  if (error) return <span role="alert">Error: Could not verify Datastore status</span>
  if (!data) return <Skeleton rows={0} />
  return data.organizationExists ? (
    <StatusBadge value="Created" tone="success" />
  ) : (
    <StatusBadge value="Not Created" tone="secondary" />
  )
}
