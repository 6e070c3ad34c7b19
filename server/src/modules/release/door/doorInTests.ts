import { complaint, type release } from '@dmp/contract'
import type { Endpoint, Input } from '@dmp/contract/endpoint'

import { readBuild } from '@dmp/release/readBuild'
import { replaceReleases } from '@dmp/release/move'
import { toCallShapes } from '@dmp/release/preflight/calls'
import { addVerdict, toPairing } from '@dmp/release/preflight/verdicts'
import type { ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { aBuild } from '@dmp/release/testing/aBuild'
import type { TestServer } from '../../../testing/server.ts'
import { readLive } from './judge.ts'

/** A build as a command sends it. `calls`: what its `calls.json` says, or its very text. */
export async function toArrival(
  part: string,
  code: string,
  { calls, ...over }: Parameters<typeof aBuild>[2] & { readonly calls?: object | string } = {},
): Promise<Input<typeof release.publish>> {
  const { record, contents } = await readBuild(aBuild(part, code, over))
  const files = [...contents].map(([path, content]) => ({ path, content: content.toString('base64') }))
  if (calls !== undefined) {
    const text = typeof calls === 'string' ? calls : JSON.stringify(calls)
    files.push({ path: 'calls.json', content: Buffer.from(text).toString('base64') })
  }
  return { part, record, commit: 'abc1234', files }
}

/** The shape of a call that this server answers, as a build notes it. */
export const answered = toCallShapes([complaint.listTypes])

/** What the platform's team leaves in the store after a trial in a browser. */
export async function tryInBrowser(store: ReleaseStore, part: string, releaseId: string, passed = true): Promise<void> {
  const snapshot = replaceReleases(await readLive(store), [{ name: part, releaseId }])
  await addVerdict(store, {
    ...toPairing(snapshot, [part]),
    passed,
    findings: [
      passed
        ? { check: `journey ${part}`, passed, says: 'It starts.', seconds: 1 }
        : { check: `journey ${part}`, passed, says: 'It drew nothing within 10 s.', cure: 'Look at it.', seconds: 1 },
    ],
    by: 'the platform',
    at: new Date().toISOString(),
  })
}

/** Whoever has this secret, as the deployment meets it. */
export const createMachine =
  (server: TestServer, secret: string) =>
  <E extends Endpoint>(call: E, input: Input<E>) =>
    server.call(call, input, { headers: { authorization: `Bearer ${secret}` } })
export type Machine = ReturnType<typeof createMachine>
