import { apiToken, release } from '@dmp/contract'
import type { ScopeName } from '@dmp/contract/apiToken'
import { limits } from '@dmp/contract/limits'
import { addPreview, findPreview } from '@dmp/release/previews'
import { readRelease } from '@dmp/release/store/ReleaseStore'
import { tidy } from '@dmp/release/tidy'
import { demoPassword } from '../../account/demoAccounts.ts'
import { toArrival } from '../door/doorInTests.ts'
import { aPart, machineFor, pilot, show, startPreviewServer, type PreviewServer } from './previewsInTests.ts'

let on: PreviewServer
beforeAll(async () => {
  on = await startPreviewServer()
})
afterAll(() => on.server.close())

describe('who makes a preview', () => {
  const ofSteps = async (part: string, ...scopes: ScopeName[]) =>
    (await machineFor(on, part, { scopes, previewers: [] })).ask

  it.each(['publish', 'canary', 'activate', 'rollback'] as const)('not a token of the step %s [P83]', async (scope) => {
    const part = aPart()
    const { releaseId } = await on.releases.put(part, 'one')
    const ask = await ofSteps(part, scope)
    for (const reply of [
      await ask(release.preview, { part, releaseId }),
      await ask(release.endPreviews, { part }),
      await ask(release.listPreviews, { part }),
    ])
      expect(reply.status).toBe(403)
  })

  it('not a token of another part, which neither ends nor lists them [P83]', async () => {
    const [mine, theirs] = [aPart(), aPart()]
    const made = await show((await machineFor(on, theirs)).ask, theirs)
    const { ask } = await machineFor(on, mine)
    const says = `This API token is for ${mine}, not for ${theirs}.`
    for (const reply of [
      await ask(release.preview, { part: theirs, releaseId: made.releaseId }),
      await ask(release.endPreviews, { part: theirs }),
      await ask(release.listPreviews, { part: theirs }),
    ])
      expect([reply.status, reply.message]).toEqual([403, says])
    expect((await ask(release.listPreviews, {})).data).toEqual([])
    expect(await findPreview(on.releases.store, theirs, made.id)).toBeDefined()
  })

  it.each(['staff', 'admin', 'sys_admin'] as const)('not %s [P83]', async (role) => {
    const person = await on.server.signIn(role)
    const reply = await person.call(release.preview, { part: 'host', releaseId: '0'.repeat(16) })
    expect(reply.status).toBe(403)
  })

  it('nobody for people whom the token does not name, nor for an address that nobody signs in with [P83]', async () => {
    const part = aPart()
    const { ask } = await machineFor(on, part)
    const { releaseId } = await on.releases.put(part, 'one')
    const refused = await ask(release.preview, { part, releaseId, users: ['staff@north.example'] })
    expect([refused.status, refused.message]).toEqual([
      403,
      expect.stringContaining('does not name staff@north.example'),
    ])
    expect((await ask(release.preview, { part, releaseId, users: [pilot] })).data.users).toEqual([pilot])
    // An account that there is not, and one whose person has left.
    for (const nobody of ['gone@north.example', 'emil.straub@north.example']) {
      const draft = { name: 'Nobody', password: demoPassword, parts: [part], previewers: [nobody] }
      for (const scopes of [['preview'], ['publish']] as const) {
        const reply = await on.root.call(apiToken.add, { ...draft, scopes })
        expect([reply.status, reply.fields?.[0]?.path]).toEqual([400, 'previewers'])
      }
      const reply = await on.root.call(release.preview, { part, releaseId, users: [nobody] })
      expect([reply.status, reply.fields?.[0]?.path]).toEqual([400, 'users'])
    }
  })

  it('nobody of what could not go live for more than the trial [P83]', async () => {
    const part = aPart()
    const { ask } = await machineFor(on, part)
    const { data } = await ask(release.publish, await toArrival(part, 'greedy', { kit: '^9.0.0' }))
    const refused = await ask(release.preview, { part, releaseId: data.releaseId })
    expect([refused.status, refused.code, refused.message]).toEqual([
      409,
      'DOES_NOT_FIT',
      expect.stringContaining('needs @dmp/kit ^9.0.0'),
    ])
  })
})

describe('previews are bounded', () => {
  it.each([0, limits.previewMaxDays + 1, 1.5])('%p days are refused [P83]', async (days) => {
    expect((await on.root.call(release.preview, { part: 'host', releaseId: '0'.repeat(16), days })).status).toBe(400)
  })

  it('in number for each part; one that ends makes room [P83]', async () => {
    const part = aPart()
    const { ask } = await machineFor(on, part)
    const { releaseId } = await show(ask, part)
    const stored = await readRelease(on.releases.store, part, releaseId)
    for (let made = 1; made < limits.previewsPerPart; made += 1)
      await addPreview(on.releases.store, stored, { by: 'test', users: [], days: 1 })
    const refused = await ask(release.preview, { part, releaseId })
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining(`preview ${part} --end`)])
    const [one] = (await ask(release.listPreviews, { part })).data
    expect((await ask(release.endPreviews, { part, id: one!.id })).data).toHaveLength(1)
    expect((await ask(release.preview, { part, releaseId })).status).toBe(200)
  })

  it('by the end of the token that makes them [P83]', async () => {
    const part = aPart()
    const { ask, token } = await machineFor(on, part, { expireInDays: 2 })
    expect((await show(ask, part, 'one', { days: 30 })).endsDate).toBe(token.expiresDate)
  })

  it('and tidied away: what is shown stays, what is over goes [P83]', async () => {
    const part = aPart()
    const { ask } = await machineFor(on, part)
    const made = await show(ask, part, 'one', { days: 5 })
    const later = (days: number) => tidy(on.releases.store, { days: 1, now: Date.now() + days * 86_400_000 })
    await later(2)
    await later(4)
    expect((await on.releases.store.list(part)).length).toBe(1)
    await later(6)
    expect(await on.releases.store.list(`previews/${part}`)).toEqual([])
    await later(8)
    expect(await on.releases.store.read(`${part}/${made.releaseId}/release.json`)).toBeUndefined()
  })
})
