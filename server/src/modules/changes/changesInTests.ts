import { changes, scan } from '@dmp/contract'
import type { Change, ChangePage } from '@dmp/contract/changes'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import type { SignedIn, TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

/** An object of the series `<study>.<series>`. */
export const objectOf = (study: string, series: number, instance: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${study}.${series}.${instance}`),
      '0020000D': text('UI', study),
      '0020000E': text('UI', `${study}.${series}`),
      '00080060': text('CS', 'CT'),
    }),
  })

export async function store(server: TestServer, who: SignedIn, ...objects: readonly Buffer[]): Promise<void> {
  const { statusCode, body } = await stow(server, who, objects)
  if (statusCode !== 200) throw new Error(`Not stored: ${statusCode} ${body}`)
}

export async function ask(who: SignedIn, query: Record<string, unknown> = {}): Promise<ChangePage> {
  const { status, data, message } = await who.call(changes.list, query)
  if (status !== 200) throw new Error(`No changes: ${status} ${message}`)
  return data
}

/** Everything behind a cursor, page by page. */
export async function readAll(who: SignedIn, since: string, query: Record<string, unknown> = {}): Promise<Change[]> {
  const found: Change[] = []
  for (let page = await ask(who, { ...query, since }); ; page = await ask(who, { ...query, since: page.next })) {
    found.push(...page.changes)
    if (!page.hasMore) return found
  }
}

/** Where the changes of the caller go on from now. */
export const now = async (who: SignedIn): Promise<string> => (await ask(who)).next

export const told = (list: readonly Change[]): [string, string, number][] =>
  list.map(({ kind, seriesUID, instances }) => [kind, seriesUID, instances])

export const share = (who: SignedIn, organizationId: string, seriesUID: string, alsoSeriesUIDs: string[] = []) =>
  who.call(scan.share, { organizationId, seriesUID, alsoSeriesUIDs, expireInDay: 1 })
