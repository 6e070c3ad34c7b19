import type { Judgement } from '@dmp/contract/releaseDoor'
import { limits } from '@dmp/contract/limits'
import { isAboutQuality, judgeDocuments, toJudgement } from '../preflight/preflight.ts'
import { replaceReleases } from '../move.ts'
import { addPreview, endPreviews } from '../previews.ts'
import { createPreviewReport } from '../previewReport.ts'
import { ReleaseRefused } from '../ReleaseRefused.ts'
import { assertTrusted } from '../signing/signatures.ts'
import { StoreError } from '../store/ReleaseStore.ts'
import { getLive, getRelease, type Command, type CommandOptions, type CommandResult } from './command.ts'
import { formatPreview, formatSummary } from './previewSummary.ts'
import type { PreviewReport } from '@dmp/contract/releasePreview'

/** Lets some people open a release beside what is live, for some days; or ends that. */
export const previewCommand: Command = {
  usage: 'preview  remote-scan',
  about: 'let people open it beside what is live: --users a@x.org, --days 7, --change pr-17, --summary; or --end',
  run: async (options) => (options.isEnd ? end(options) : start(options)),
}

async function start(options: CommandOptions): Promise<CommandResult> {
  const { store, author, days = limits.previewDefaultDays, users, change, address = '' } = options
  const release = await getRelease(options)
  await assertTrusted(store, [release])
  const findings = await judge(options, release)
  const standing = findings.filter((finding) => !finding.passed && !isAboutQuality(finding))
  if (standing.length > 0)
    throw new ReleaseRefused(
      standing.map(({ check, says, cure }) => ({ parties: [release.name, check], reason: says, cure: cure ?? '' })),
    )
  const made = await addPreview(store, release, {
    by: author.by,
    users: [...users],
    days,
    ...(change === undefined ? {} : { change }),
  })
  return toResult(await createPreviewReport(store, made, findings), address, options)
}

/** With the trial in a browser where there is one: an earlier verdict beside the very same releases counts. */
async function judge(
  { store, preflight, author, unchecked }: CommandOptions,
  { name, releaseId }: { readonly name: string; readonly releaseId: string },
): Promise<Judgement[]> {
  const changed = [{ name, releaseId }]
  const snapshot = replaceReleases((await getLive(store)).live, changed)
  const findings =
    preflight === undefined || unchecked !== undefined
      ? await judgeDocuments(store, snapshot, [name])
      : (await preflight({ store, snapshot, changed, by: author.by, isAfresh: false })).findings
  return findings.map(toJudgement)
}

async function end({ store, part, releaseId, change }: CommandOptions): Promise<CommandResult> {
  if (part === undefined) throw new StoreError('Name the part whose previews end, such as remote-report.')
  const ended = await endPreviews(store, part, { releaseId, change })
  return toEndResult(part, ended)
}

/** What `preview` says, at a store and at a deployment. */
export function toResult(
  report: PreviewReport,
  origin: string,
  { isSummary }: Pick<CommandOptions, 'isSummary'>,
): CommandResult {
  const address = `${origin}${report.path}`
  const summary = formatSummary(report, address)
  const { part, releaseId, change } = report
  const which = change === null ? `--release ${releaseId}` : `--change ${change}`
  return {
    json: { preview: { ...report, address }, summary },
    text: isSummary ? summary : formatPreview(report, address, `npm run release -- preview ${part} --end ${which}`),
  }
}

/** What `preview --end` says. */
export const toEndResult = (
  part: string,
  ended: readonly { readonly id: string; readonly releaseId: string }[],
): CommandResult => ({
  json: { ended: ended.map(({ id, releaseId }) => ({ id, releaseId })) },
  text:
    ended.length === 0
      ? `${part} has no such preview.`
      : `${ended.length === 1 ? 'One preview' : `${ended.length} previews`} of ${part} ended: nobody gets it any more.`,
})
