import { account, apiToken, businessUser, release } from '@dmp/contract'
import type { NewApiToken } from '@dmp/contract/apiToken'
import type { PreviewReport } from '@dmp/contract/releasePreview'
import { aKey, publishAs, register, revoke } from '@dmp/release/testing/signing'
import { type Machine } from '../door/doorInTests.ts'
import {
  alter,
  aPart,
  colleague,
  machineFor,
  openBrowser,
  show,
  startPreviewServer,
  type PreviewServer,
} from './previewsInTests.ts'

let on: PreviewServer
beforeAll(async () => {
  on = await startPreviewServer()
})
afterAll(() => on.server.close())

const nothing = { status: 404, code: 'NOT_FOUND' }

/** What may become of a preview that somebody has open; each time it is gone from the next page, as if never made. */
const ends: Readonly<
  Record<
    string,
    (made: PreviewReport, more: { token: NewApiToken; ask: Machine; refreshToken: string }) => Promise<unknown>
  >
> = {
  'was ended by its team': ({ part }, { ask }) => ask(release.endPreviews, { part }),
  'was ended by a super administrator': ({ part, id }) => on.root.call(release.endPreviews, { part, id }),
  'lasted its days': ({ part, id, endsDate }) =>
    alter(on, `previews/${part}/${id}.json`, (text) => text.replace(endsDate, new Date(Date.now() - 1).toISOString())),
  'came by a token that was ended': (_made, { token }) => on.root.call(apiToken.end, { id: token.id }),
  'came by a token that expired': (_made, { token }) =>
    changeToken(token.id, { expires_date: new Date(Date.now() - 1000) }),
  'came by a token that is for the part no longer': (_made, { token }) => changeToken(token.id, { parts: [] }),
  'came by a token without that step': (_made, { token }) => changeToken(token.id, { scopes: ['publish'] }),
  'has an altered document': ({ part, releaseId }) =>
    alter(on, `${part}/${releaseId}/release.json`, (text) => text.replace('"title": "', '"title": "X')),
  'has lost its release': ({ part, releaseId }) => on.releases.store.remove(`${part}/${releaseId}/release.json`),
  'is of a part that signs by now': ({ part }) => register(on.releases.store, part, aKey('ci')),
  'is noted in a way that nobody can read': ({ part, id }) =>
    alter(on, `previews/${part}/${id}.json`, () => '{"id":1}'),
}

const changeToken = (id: string, values: Record<string, unknown>) =>
  on.server.deps.db.updateTable('api_tokens').set(values).where('id', '=', id).execute()

describe('a preview that', () => {
  it.each(Object.keys(ends))('%s is dead at once [P83]', async (what) => {
    const part = aPart()
    const { ask, token } = await machineFor(on, part)
    const made = await show(ask, part)
    const browser = await openBrowser(on, colleague)
    await browser.agree(made)
    expect(await browser.look()).toHaveLength(1)
    await ends[what]!(made, { token, ask, refreshToken: browser.refreshToken })
    expect(await browser.look()).toEqual([])
    expect([await browser.read(made), await browser.agree(made)]).toMatchObject([nothing, nothing])
    expect(await (await openBrowser(on, 'super@dmp.example')).read(made)).toMatchObject(nothing)
  })

  it('somebody has open ends with their session [P83]', async () => {
    const part = aPart()
    const made = await show((await machineFor(on, part)).ask, part)
    const browser = await openBrowser(on, colleague)
    await browser.agree(made)
    await on.server.call(account.logout, { refreshToken: browser.refreshToken })
    expect(await browser.look()).toEqual([])
  })

  it('was signed by a key that is revoked is dead at once, and one that is not signed is none [P43, P83]', async () => {
    const part = aPart()
    const key = aKey('ci')
    const unsigned = await publishAs(on.releases.store, part, 'unsigned')
    await register(on.releases.store, part, key)
    const signed = await publishAs(on.releases.store, part, 'signed', key)
    const { ask } = await machineFor(on, part)
    const refused = await ask(release.preview, { part, releaseId: unsigned.releaseId })
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('is not signed by a key')])
    const { data: made } = await ask(release.preview, { part, releaseId: signed.releaseId })
    const browser = await openBrowser(on, colleague)
    await browser.agree(made)
    expect(await browser.look()).toHaveLength(1)
    await revoke(on.releases.store, part, key)
    expect(await browser.look()).toEqual([])
    expect(await browser.read(made)).toMatchObject(nothing)
  })

  it('came by a person lasts no longer than their right [P83]', async () => {
    const other = await on.server.signIn('sys_admin')
    const become = async (role: 'super_admin' | 'sys_admin') => {
      await on.server.deps.db.updateTable('users').set({ role }).where('id', '=', other.userId).execute()
      on.server.deps.bus.publish({ kind: 'viewersChanged', userIds: [other.userId] })
    }
    await become('super_admin')
    const part = aPart()
    const { releaseId } = await on.releases.put(part, 'one')
    const { data: made } = await other.call(release.preview, { part, releaseId, users: ['staff@north.example'] })
    const browser = await openBrowser(on, 'staff@north.example')
    expect((await browser.agree(made)).status).toBe(200)
    await become('sys_admin')
    expect(await browser.look()).toEqual([])
    expect(await browser.read(made)).toMatchObject(nothing)
    await become('super_admin')
    expect(await browser.look()).not.toEqual([])
    expect((await on.root.call(businessUser.deactivateUser, { id: other.userId })).status).toBe(200)
    expect(await browser.look()).toEqual([])
    expect(await browser.read(made)).toMatchObject(nothing)
    await on.root.call(businessUser.activateUser, { id: other.userId })
    await become('sys_admin')
  })

  it('has an altered file does not run: the file is not sent [P83]', async () => {
    const part = aPart()
    const made = await show((await machineFor(on, part)).ask, part)
    await alter(on, `${part}/${made.releaseId}/App.js`, (text) => `${text};steal()`)
    const reply = await on.server.app.inject({ url: `/releases/${part}/${made.releaseId}/App.js` })
    expect([reply.statusCode === 200, reply.body.includes('steal')]).toEqual([false, false])
  })
})
