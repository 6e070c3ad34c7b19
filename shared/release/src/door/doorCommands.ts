import { gzipSync } from 'node:zlib'
import type { Release } from '@dmp/contract/release'
import * as calls from '@dmp/contract/releaseCalls'
import type { JudgedRelease, PartState } from '@dmp/contract/releaseDoor'
import { findBuild, type CommandOptions, type CommandResult } from '../commands/command.ts'
import { formatErrors } from '../commands/errors.ts'
import { formatFigures, parseBudgets } from '../commands/figures.ts'
import { formatNotices } from '../commands/notices.ts'
import { toEndResult, toResult } from '../commands/preview.ts'
import { isAboutQuality } from '../preflight/preflight.ts'
import { createProvenance } from '../provenance.ts'
import { sourceCommit } from '../publishAll.ts'
import { readBuild } from '../readBuild.ts'
import { ReleaseRefused } from '../ReleaseRefused.ts'
import { toEnvelope } from '../signing/envelope.ts'
import type { Signer } from '../signing/keyPair.ts'
import { statementType } from '../signing/signatures.ts'
import { toIntegrity } from '../store/releaseFiles.ts'
import { StoreError } from '../store/ReleaseStore.ts'
import { bringDrawn } from './bringDrawn.ts'
import type { Door } from './doorClient.ts'
import { formatJudged, formatShare, formatState, sayGuest } from './formatState.ts'

/** What a command does against a deployment instead of a store. */
export type DoorCommand = (door: Door, options: CommandOptions) => Promise<CommandResult>

/** The commands that work with `--to`; the others need the store. */
export const doorCommands: Readonly<Record<string, DoorCommand>> = {
  publish,
  preview,
  check,
  activate,
  canary,
  rollback,
  status,
  errors,
  figures,
  notices,
}

const needPart = ({ part }: CommandOptions): string => {
  if (part !== undefined) return part
  throw new StoreError('Name a part, such as remote-report.')
}

/** Builds what is here and brings it, with its signature where there is a key. */
async function bring(door: Door, options: CommandOptions) {
  const { record, contents, billOfMaterials, maps } = await readBuild(await findBuild(options))
  const { name } = record
  const arrived = await door.ask(calls.publish, {
    part: name,
    record,
    commit: sourceCommit(),
    files: [...contents].map(([file, content]) => ({ path: file, content: content.toString('base64') })),
    ...(billOfMaterials === undefined ? {} : { billOfMaterials: billOfMaterials.toString('base64') }),
  })
  const { releaseId, commit, publishedAt } = arrived
  await bringMaps(door, { part: name, releaseId }, maps)
  const files = [...contents]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, content]) => ({ path: file, integrity: toIntegrity(content), bytes: 0, gzip: 0, brotli: 0 }))
  const release = { ...record, releaseId, files, commit, publishedAt }
  if (options.signer) await sign(door, release, options.signer)
  await bringDrawn(door, { release, contents, signer: options.signer })
  return { ...arrived, part: name, isGuest: record.declaration?.trust === 'guest' }
}

/** Maps help the team alone: a deployment of an earlier version, which takes none, gets the release without. */
async function bringMaps(
  door: Door,
  ref: { readonly part: string; readonly releaseId: string },
  maps: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const sent = [...maps].map(([script, content]) => ({ script, map: gzipSync(content).toString('base64') }))
  if (sent.length === 0) return
  try {
    await door.ask(calls.addMaps, { ...ref, maps: sent })
  } catch (error) {
    if (!(error instanceof ReleaseRefused && error.incompatibilities[0]?.parties[1] === 'NOT_FOUND')) throw error
  }
}

async function sign(door: Door, release: Release, signer: Signer): Promise<void> {
  const envelope = toEnvelope(statementType, createProvenance(release), signer).toString('utf8')
  await door.ask(calls.sign, { part: release.name, releaseId: release.releaseId, envelope })
}

/** The release that the command is about: one that was published, or what is here. */
async function findRelease(door: Door, options: CommandOptions): Promise<{ part: string; releaseId: string }> {
  const { releaseId } = options
  if (releaseId !== undefined) return { part: needPart(options), releaseId }
  const brought = await bring(door, options)
  return { part: brought.part, releaseId: brought.releaseId }
}

async function publish(door: Door, options: CommandOptions): Promise<CommandResult> {
  const { part, releaseId, isNew, isGuest } = await bring(door, options)
  const judged = await door.ask(calls.judge, { part, releaseId })
  return {
    json: { release: { name: part, releaseId, isNew }, judged },
    text: [
      `${part} ${releaseId} is at ${door.address}${isNew ? '' : ' already'}; nothing went live.`,
      formatJudged(judged),
      ...(isGuest ? ['It asks to be a guest ("trust" in remote.json): once live, the part stays one.'] : []),
    ].join('\n'),
  }
}

async function preview(door: Door, options: CommandOptions): Promise<CommandResult> {
  const { isEnd, releaseId: wanted, change, days, users } = options
  const ofChange = change === undefined ? {} : { change }
  if (isEnd) {
    const part = needPart(options)
    const which = wanted === undefined ? ofChange : { ...ofChange, releaseId: wanted }
    return toEndResult(part, await door.ask(calls.endPreviews, { part, ...which }))
  }
  const ref = await findRelease(door, options)
  const report = await told(
    door,
    ref,
    () =>
      door.ask(calls.preview, {
        ...ref,
        ...ofChange,
        ...(days === undefined ? {} : { days }),
        ...(users.length === 0 ? {} : { users: [...users] }),
      }),
    (finding) => !finding.passed && !isAboutQuality(finding),
  )
  return toResult(report, door.address, options)
}

const isTrial = ({ check: name }: { readonly check: string }): boolean => name.startsWith('journey ')

/** What the platform says; the trial in a browser is its own matter, and is not waited for. */
async function check(door: Door, options: CommandOptions): Promise<CommandResult> {
  const { part, releaseId } = await findRelease(door, options)
  const judged = await door.ask(calls.judge, { part, releaseId })
  refuseWhere(judged, (finding) => !finding.passed && !isTrial(finding))
  return { json: { release: { name: part, releaseId }, judged }, text: formatJudged(judged) }
}

async function activate(door: Door, options: CommandOptions): Promise<CommandResult> {
  const { part, releaseId } = await findRelease(door, options)
  const state = await judged(door, { part, releaseId }, options, (why) =>
    door.ask(calls.activate, { part, releaseId, ...why }),
  )
  return {
    json: { release: { name: part, releaseId }, state },
    text: [
      `${part} ${releaseId} is live: every page opened from now on has it.`,
      ...sayGuest(state),
      `To undo: rollback ${part} --reason "…"`,
    ].join('\n'),
  }
}

async function canary(door: Door, options: CommandOptions): Promise<CommandResult> {
  const { isStop, isPromote, percent, users } = options
  if (isStop || isPromote) return moveCanary(door, options)
  const { part, releaseId } = await findRelease(door, options)
  const share = percent ?? (users.length > 0 ? 0 : 1)
  const state = await judged(door, { part, releaseId }, options, (why) =>
    door.ask(calls.startCanary, { part, releaseId, percent: share, users: [...users], ...why }),
  )
  return {
    json: { release: { name: part, releaseId }, state },
    text: [
      `${part} ${releaseId} goes to ${formatShare(state.canary ?? { releaseId, percent: share, users: users.length })}, with the next page that they open.`,
      ...sayGuest(state),
    ].join('\n'),
  }
}

async function moveCanary(door: Door, options: CommandOptions): Promise<CommandResult> {
  const part = needPart(options)
  const { canary: running } = await door.ask(calls.getPart, { part })
  if (running === null) throw new StoreError(`${part} has no canary.`)
  const input = { part, releaseId: running.releaseId, ...toReason(options) }
  const { percent, isStop } = options
  await (isStop
    ? door.ask(calls.stopCanary, input)
    : door.ask(calls.promoteCanary, { ...input, ...(percent === undefined ? {} : { percent }) }))
  return status(door, options)
}

async function rollback(door: Door, options: CommandOptions): Promise<CommandResult> {
  const part = needPart(options)
  const { live } = await door.ask(calls.getPart, { part })
  if (live === null) throw new StoreError(`${part} is not live.`)
  await door.ask(calls.rollback, { part, releaseId: live, ...toReason(options) })
  return status(door, options)
}

async function status(door: Door, options: CommandOptions): Promise<CommandResult> {
  const state = await door.ask(calls.getPart, { part: needPart(options) })
  return { json: { state }, text: formatState(state) }
}

async function errors(door: Door, options: CommandOptions): Promise<CommandResult> {
  const groups = await door.ask(calls.listErrors, { part: needPart(options) })
  return { json: { errors: groups }, text: formatErrors(groups) }
}

async function figures(door: Door, options: CommandOptions): Promise<CommandResult> {
  const part = needPart(options)
  const shown =
    options.budget === undefined
      ? await door.ask(calls.getFigures, { part })
      : await door.ask(calls.setBudgets, { part, budgets: parseBudgets(options.budget) })
  return { json: { figures: shown }, text: formatFigures(shown) }
}

async function notices(door: Door, options: CommandOptions): Promise<CommandResult> {
  const part = needPart(options)
  const shown =
    options.isOn === undefined
      ? await door.ask(calls.getNotices, { part })
      : await door.ask(calls.switchNotices, { part, isOn: options.isOn })
  return { json: { notices: shown }, text: formatNotices(shown) }
}

const toReason = ({ author: { reason } }: CommandOptions) => (reason === undefined ? {} : { reason })

/** Makes a move; every finding that stands against it is told with its cure. */
async function judged(
  door: Door,
  ref: { readonly part: string; readonly releaseId: string },
  options: CommandOptions,
  move: (why: { reason?: string; unchecked?: string }) => Promise<PartState>,
): Promise<PartState> {
  const { unchecked } = options
  const why = { ...toReason(options), ...(unchecked === undefined ? {} : { unchecked }) }
  return told(
    door,
    ref,
    () => move(why),
    ({ passed }) => !passed,
  )
}

/** Does something; where the platform refuses it for its judgement, the findings that stand against it are told. */
async function told<T>(
  door: Door,
  ref: { readonly part: string; readonly releaseId: string },
  act: () => Promise<T>,
  isBad: (finding: JudgedRelease['findings'][number]) => boolean,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ReleaseRefused && error.incompatibilities[0]?.parties[1] === 'DOES_NOT_FIT')
      refuseWhere(await door.ask(calls.judge, ref), isBad)
    throw error
  }
}

function refuseWhere(
  { part, findings }: JudgedRelease,
  isBad: (finding: JudgedRelease['findings'][number]) => boolean,
) {
  const bad = findings.filter(isBad)
  if (bad.length > 0)
    throw new ReleaseRefused(
      bad.map(({ check: name, says, cure }) => ({ parties: [part, name], reason: says, cure: cure ?? '' })),
    )
}
