import { randomUUID } from 'node:crypto'
import { account, businessUser, scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { roleIds } from '../../identity/roles.ts'
import { openLive } from '../../testing/live.ts'
import type { SignedIn, TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'
import { demoPassword } from '../account/demoAccounts.ts'

export const inSouth = { organizationId: southClinic.id, seriesUID: '1.77.1' }
export const object = (uid: string) =>
  dicomFile({
    elements: slice({ '00080018': text('UI', uid), '0020000D': text('UI', '1.77'), '0020000E': text('UI', '1.77.1') }),
  })
export const contact = { civility: 'Ms', firstName: 'Dora', lastName: 'Door', mobile: null, landline: null, fax: null }
/** Everything that South-Clinic's people opened while it was activated. */
export interface Doors {
  readonly admin: SignedIn
  readonly mfa: { session: string; userId: string; code: string }
  readonly resetCode: string
  readonly temporary: string
  readonly share: string
  readonly download: string
  readonly cookie: string
  readonly tusPath: string
  readonly live: Promise<{ reason: string }>
  readonly invitedId: string
  readonly transfers: string[]
}

export const tus = { 'tus-resumable': '1.0.0' }
const queueTransfer = async (server: TestServer, from: string, to: string, userId: string): Promise<string> => {
  const { db } = server.deps
  const { id } = await db
    .insertInto('transfers')
    .values({
      organization_id: from,
      destination_id: to,
      destination_name: 'x',
      anonymize: true,
      secret: Buffer.alloc(32, 7),
      user_id: userId,
      state: 'Queued',
      finished_date: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('transfer_scans')
    .values({
      transfer_id: id,
      position: 0,
      study_uid: '1.77',
      series_uid: '1.77.1',
      new_series_uid: null,
      state: 'Queued',
      message: null,
      images: 1,
      report: null,
    })
    .execute()
  return id
}

/** Opens every door that the tests try again after the deactivation. */
export async function openDoors(server: TestServer, url: string, root: SignedIn): Promise<Doors> {
  const admin = await server.signIn('admin@south.example')
  expect((await stow(server, admin, [object('1.77.1.1')])).statusCode).toBe(200)
  const passwords = await requestPasswords(server, admin)
  const links = await openLinks(server, admin)
  const upload = await fetch(`${url}/api/Scan/uploads`, {
    method: 'POST',
    headers: { ...tus, ...admin.headers, 'upload-length': String(object('1.77.1.2').length) },
  })
  const channel = await openLive(url, {
    sessionId: randomUUID(),
    clientId: 'dmp-web',
    accessToken: admin.tokens.accessToken ?? '',
  })
  await channel.next()
  const transfers = [
    await queueTransfer(server, southClinic.id, northClinic.id, admin.userId),
    await queueTransfer(server, northClinic.id, southClinic.id, root.userId),
  ]
  return {
    admin,
    ...passwords,
    ...links,
    tusPath: upload.headers.get('location') ?? '',
    live: channel.closed,
    transfers,
  }
}

/** Mails a temporary password, a code of the second step and a reset link. */
async function requestPasswords(
  server: TestServer,
  admin: SignedIn,
): Promise<Pick<Doors, 'mfa' | 'resetCode' | 'temporary' | 'invitedId'>> {
  const invite = async (email: string) => {
    const draft = { ...contact, email, userName: email, organizationId: southClinic.id, roleId: roleIds.staff }
    return (await admin.call(businessUser.add, draft)).data.id
  }
  const invitedId = await invite('dora@south.example')
  const temporary = (await server.mailTo('dora@south.example')).code ?? ''
  await invite('mia@south.example')
  const { db } = server.deps
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', 'admin@south.example')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('users')
    .set({ mfa_enabled: true, temporary_until: null, is_confirmed: true, password_hash })
    .where('email', '=', 'mia@south.example')
    .execute()
  await db.deleteFrom('mails').execute()
  const { data: challenge } = await server.call(account.login, {
    ClientId: 'dmp-web',
    email: 'mia@south.example',
    password: demoPassword,
  })
  const code = (await server.mailTo('mia@south.example')).code ?? ''
  await server.call(account.forgotPassword, { Email: 'admin@south.example', ClientId: 'dmp-web' })
  const resetCode = (await server.mailTo('admin@south.example')).links[0]?.split('/').at(-1) ?? ''
  const mfa = { session: challenge.session ?? '', userId: challenge.userId ?? '', code }
  return { mfa, resetCode, temporary, invitedId }
}

/** Opens a share link, a download and the image viewer. */
async function openLinks(server: TestServer, admin: SignedIn): Promise<Pick<Doors, 'share' | 'download' | 'cookie'>> {
  const shared = await admin.call(scan.share, { ...inSouth, expireInDay: 1, password: null, maxUses: null })
  const download = new URL((await admin.call(scan.download, inSouth)).data.downloadUrl).pathname
  const { image_set_id: imageSetID } = await server.deps.db
    .selectFrom('series')
    .select('image_set_id')
    .where('series_uid', '=', '1.77.1')
    .executeTakeFirstOrThrow()
  const launch = await server.app.inject({
    method: 'POST',
    url: '/launch',
    headers: admin.headers,
    payload: { imageSetID },
  })
  const cookie = `dmp-launch=${launch.cookies.find(({ name }) => name === 'dmp-launch')?.value ?? ''}`
  expect((await server.app.inject({ url: '/dicom-web/studies/1.77/series', headers: { cookie } })).statusCode).toBe(200)
  return { share: shared.data.downloadUrl.split('/').at(-1) ?? '', download, cookie }
}
