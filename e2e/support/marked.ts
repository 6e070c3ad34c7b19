import type { Call } from './api.ts'

/**
 * The mark of everything that journeys and the seeded world write. Nobody can have an address below `.invalid`
 * (RFC 6761), so that no mail of a run reaches a stranger.
 */
export const mailDomain = 'qa.invalid'

/** An address of its own for somebody whom a journey makes up. */
export const markedAddress = (who: string): string => `${who}-${Date.now().toString(36)}@${mailDomain}`

interface Lookup {
  readonly id: string
  readonly name: string
}

/** Resolves a complaint: the product has no call that deletes one. */
export async function resolveComplaint(root: Call, id: string): Promise<void> {
  const { currentStatus } = await root<{ currentStatus: string }>('GET', `Complaint/get?id=${id}`)
  if (currentStatus === 'Resolved') return
  const statuses = await root<Lookup[]>('GET', 'Complaint/listStatuses')
  const statusId = statuses.find(({ name }) => name === 'Resolved')?.id
  await root('PUT', `Complaint/updateStatus/${id}`, { statusId, comment: 'The test that made this is over.' })
}

/** Resolves every complaint whose description contains the words. Returns how many there were. */
export async function resolveComplaints(root: Call, words: string): Promise<number> {
  const rows = await root<{ id: string }[]>(
    'GET',
    `Complaint/list?state=open&page=1&pageSize=100&search=${encodeURIComponent(words)}`,
  )
  for (const { id } of rows) await resolveComplaint(root, id)
  return rows.length
}

/** Rejects what waits from an address: the product has no call that deletes a registration. */
export async function rejectRegistration(root: Call, email: string): Promise<boolean> {
  const rows = await root<{ id: string; contactInfo: { email: string } }[]>(
    'GET',
    `Registration/list?status=New&page=1&pageSize=10&search=${encodeURIComponent(email)}`,
  )
  const id = rows.find(({ contactInfo }) => contactInfo.email === email)?.id
  if (id === undefined) return false
  await root('PUT', `Registration/reject/${id}`, {
    statusId: '00000000-0000-4000-8000-000000000503',
    comment: 'The test that made this is over.',
  })
  return true
}

interface Switched {
  readonly id: string
  readonly status: string | { readonly status: string }
}

const isActive = ({ status }: Switched): boolean =>
  (typeof status === 'string' ? status : status.status) === 'Activated'

/** Deactivates a user: the product has no call that deletes one. */
export async function deactivateUser(administrator: Call, email: string): Promise<boolean> {
  const rows = await administrator<(Switched & { email: string })[]>(
    'GET',
    `businessUser/list?page=1&pageSize=10&search=${encodeURIComponent(email)}`,
  )
  const user = rows.find((row) => row.email === email)
  if (user === undefined || !isActive(user)) return false
  await administrator('PUT', `businessUser/deactivateUser/${user.id}`)
  return true
}

export interface OrganizationRow extends Switched {
  readonly name: string
}

export async function findOrganization(root: Call, name: string): Promise<OrganizationRow | undefined> {
  const rows = await root<OrganizationRow[]>('GET', `Organization/list?search=${encodeURIComponent(name)}`)
  return rows.find((row) => row.name === name)
}

/** Deactivates an organization: the product has no call that deletes one. */
export async function deactivateOrganization(root: Call, name: string): Promise<boolean> {
  const organization = await findOrganization(root, name)
  if (organization === undefined || !isActive(organization)) return false
  await root('PUT', `Organization/deactivate/${organization.id}`)
  return true
}

/** Deletes the scans of an organization that a search finds, for good. Returns how many there were. */
export async function deleteScans(administrator: Call, organizationId: string, words: string): Promise<number> {
  const rows = await administrator<{ seriesUID: string }[]>(
    'GET',
    `Scan/list?page=1&pageSize=100&search=${encodeURIComponent(words)}`,
  )
  if (rows.length > 0)
    await administrator('DELETE', `Scan/delete/${organizationId}`, {
      seriesIdList: rows.map(({ seriesUID }) => seriesUID),
    })
  return rows.length
}

/** Deletes what a transfer brought to its destination; one that ended early has brought nothing. */
export async function deleteCopies(sender: Call, receiver: Call, organizationId: string, id?: string): Promise<void> {
  const transfers = await sender<{ id: string; scans: { newSeriesUID: string | null }[] }[]>(
    'GET',
    'Scan/listTransfers',
  )
  const scans = transfers.find((transfer) => transfer.id === id)?.scans ?? []
  const seriesIdList = scans.flatMap(({ newSeriesUID }) => newSeriesUID ?? [])
  if (seriesIdList.length > 0) await receiver('DELETE', `Scan/delete/${organizationId}`, { seriesIdList })
}
