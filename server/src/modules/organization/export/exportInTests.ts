import { setTimeout as pause } from 'node:timers/promises'
import { organization } from '@dmp/contract'
import { isExportOpen, type OrganizationExport } from '@dmp/contract/organization'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { demoPassword } from '../../account/demoAccounts.ts'

export const password = demoPassword
export let server: TestServer
export let admin: SignedIn
export let south: SignedIn
export let root: SignedIn
export let northId: string
export let southId: string
export const objects = ['1.7.1.1', '1.7.1.2', '1.7.2.1', '1.7.2.2', '1.7.2.3'].map((uid) =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', uid),
      '0020000D': text('UI', '1.7'),
      '0020000E': text('UI', uid.slice(0, 5)),
      '00100010': text('PN', 'Canarybird^Tilda'),
    }),
  }),
)

export async function startWithScans(variables: Readonly<Record<string, string>> = {}): Promise<void> {
  server = await startServer(variables)
  ;[admin, south, root] = (await Promise.all(
    ['admin', 'admin@south.example', 'super_admin'].map((who) => server.signIn(who)),
  )) as [SignedIn, SignedIn, SignedIn]
  ;[northId, southId] = await Promise.all([server.organizationOf(admin), server.organizationOf(south)])
  expect((await stow(server, admin, objects)).statusCode).toBe(200)
}

/** The newest export once nothing is under way. */
export async function settled(who = admin, id = northId): Promise<OrganizationExport> {
  for (;;) {
    const [newest] = (await who.call(organization.listExports, { id })).data
    if (newest && !isExportOpen(newest)) return newest
    await pause(50)
  }
}

export async function exported(who = admin, id = northId): Promise<OrganizationExport> {
  const { status, message } = await who.call(organization.startExport, { id, password })
  if (status !== 200) throw new Error(message)
  return settled(who, id)
}

export async function addressOf({ id: exportId }: OrganizationExport, who = admin, id = northId): Promise<string> {
  const { data } = await who.call(organization.downloadExport, { id, exportId, password })
  return new URL(data.downloadUrl).pathname
}

export const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })

export const auditOf = async (event: 'OrganizationExported' | 'OrganizationExportDownloaded') =>
  server.deps.db
    .selectFrom('audit')
    .select(['actor_id', 'subject'])
    .where('chain', '=', northId)
    .where('event', '=', event)
    .orderBy('position')
    .execute()
