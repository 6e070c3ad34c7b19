import { complaint, release } from '@dmp/contract'
import { readRelease } from '@dmp/release/store/ReleaseStore'
import { toDrawnEnvelope } from '@dmp/release/drawn/drawnDocument'
import { createProvenance } from '@dmp/release/provenance'
import { toEnvelope } from '@dmp/release/signing/envelope'
import { statementType } from '@dmp/release/signing/signatures'
import { readBuild } from '@dmp/release/readBuild'
import { aPartToDraw } from '@dmp/release/testing/drawnBuilds'
import { aKey, register } from '@dmp/release/testing/signing'
import { tryInBrowser } from '../modules/release/door/doorInTests.ts'
import { createTestReleases } from '../testing/releases.ts'
import { story } from '../testing/story/story.ts'

const part = 'remote-account'

/** As a command sends it. */
async function toArrival(code: string) {
  const { record, contents } = await readBuild(aPartToDraw(part, code))
  const files = [...contents].map(([path, content]) => ({ path, content: content.toString('base64') }))
  return { part, record, commit: code === 'one' ? 'abc1234' : 'def5678', files }
}

story('A part is published, tried by some, made live and taken back', import.meta.url, async (teller) => {
  const { does, later, step, people, server } = teller
  const { root, admin } = people
  const { store, host, key } = await step('A host is live, and the team of a part has a key.', async () => {
    const releases = await createTestReleases(server)
    const pair = aKey('ci')
    await register(releases.store, part, pair)
    return { store: releases.store, host: releases.host, key: pair }
  })
  await does(undefined, release.contract, {})
  await does(undefined, release.getCallShape, { name: complaint.listTypes.name })
  const bring = async (code: string, title: string) => {
    const { data } = await does(root, release.publish, await toArrival(code), { title })
    return data.releaseId
  }
  const first = await bring('one', 'A build comes in.')
  await bring('one', 'The same build once more.')
  await does(root, release.judge, { part, releaseId: first })
  const sign = async (releaseId: string) => {
    const provenance = createProvenance(await readRelease(store, part, releaseId))
    return { part, releaseId, envelope: toEnvelope(statementType, provenance, key.signer).toString('utf8') }
  }
  await does(root, release.sign, await sign(first))
  await does(root, release.activate, { part, releaseId: first }, { title: 'Nobody has tried it in a browser.' })
  await step('It is tried in a browser.', () => tryInBrowser(store, part, first))
  await does(root, release.activate, { part, releaseId: first, reason: 'The first.' })
  await does(root, release.getPart, { part })
  await does(root, release.getHost, { part })
  const markup = { plain: '<p>Sign in</p>', demo: '<p>Demo</p>' }
  const second = await bring('two', 'Another build.')
  const drawn = { part, releaseId: second, host: host.releaseId, pages: { '/login': { en: markup } } }
  const envelope = toDrawnEnvelope(drawn, key.signer).toString('utf8')
  await does(root, release.addDrawn, { part, releaseId: second, envelope })
  await step('It is signed, and tried in a browser.', async () => {
    await root.call(release.sign, await sign(second))
    await tryInBrowser(store, part, second)
  })
  const some = { part, releaseId: second, percent: 5, users: [admin.email] }
  await does(root, release.startCanary, { ...some, reason: 'Some first.' })
  await does(root, release.promoteCanary, { part, releaseId: second, percent: 30 })
  await does(root, release.stopCanary, { part, releaseId: second, reason: 'Too slow.' })
  await does(root, release.stopCanary, { part, releaseId: second }, { title: 'Stop it again.' })
  await does(root, release.activate, { part, releaseId: second, reason: 'It is faster.' }, { title: 'It is live.' })
  await does(root, release.keep, { part, releaseId: second, isKept: true, reason: 'A trial of ours.' })
  await does(root, release.setTrust, { part, releaseId: second, isGuest: true, reason: 'From outside.' })
  await does(root, release.status, {})
  await does(root, release.rollback, { part, releaseId: second, reason: 'Rows were missing.' })
  await does(root, release.rollback, { part, releaseId: second }, { title: 'Again.' })
  await does(root, release.status, {}, { title: 'It is as it was.' })
  await does(root, release.history, {})
  await later(60)
})
