import type { JourneyResult, Round } from '../../shared/contract/src/releaseRounds.ts'
import { limits } from '../../shared/contract/src/limits.ts'
import { parseClauses, parseIds } from '../clauses/clauseReport.ts'
import { readText } from '../workspace/files.ts'
import type { JourneyRecord, RunRecord } from './runRecord.ts'

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/**
 * The first line of a failure without what was on the page: no quotations, addresses, long numbers or names as DICOM
 * writes them. What is left are the words of the journey itself, which may leave this machine (P23).
 */
export function toSentence(message: string): string {
  const [line = ''] = message.replaceAll(colours, '').split('\n')
  return line
    .replace(/^(?:\w*Error): /, '')
    .replaceAll(/[“"`][^”"`]*[”"`]?/g, '…')
    .split(' ')
    .map((word) => (isFromPage(word) ? '…' : word))
    .join(' ')
    .trim()
    .slice(0, limits.journeySentenceMaxChars)
}

/** An address, a path, a name as DICOM writes it, an email address, or a number as long as those of people. */
const isFromPage = (word: string): boolean =>
  word.includes('://') || word.startsWith('/') || /[@^]|\d[\d.]{7}/.test(word)

/** `desktop › e2e/scan.e2e.ts › a scan opens [2.58]` is told by its title; of two, the window says which. */
export function titleOf({ name }: Pick<JourneyRecord, 'name'>): string {
  const [project = '', , ...title] = name.split(' › ')
  return `${title.join(' › ')}${project === 'desktop' ? '' : ` (${project})`}`.slice(0, limits.journeyTitleMaxChars)
}

/** What is told to the deployment of a run. */
export function toRound({ startedAt, endedAt, snapshot = '', parts, journeys }: RunRecord, kind: Round['kind']): Round {
  const told = journeys.slice(0, limits.journeysPerRound).map(toResult)
  const named = new Set(told.flatMap(({ clauses }) => clauses))
  const product = kind === 'suite' ? parseClauses(readText('docs/product.md')) : []
  const untried = product.filter(({ id, isNote, gathers }) => !isNote && !gathers && !named.has(id)).map(({ id }) => id)
  return {
    kind,
    startedDate: startedAt,
    endedDate: endedAt,
    snapshot,
    parts: parts.map(({ name, releaseId }) => ({ name, releaseId })),
    journeys: told,
    ...(kind === 'suite' ? { untried } : {}),
  }
}

function toResult(journey: JourneyRecord): JourneyResult {
  const { outcome, area = 'use', parts = [], sentence, states } = journey
  return {
    title: titleOf(journey),
    outcome,
    area,
    parts: parts.slice(0, 20),
    clauses: parseIds(journey.name).slice(0, 20),
    ...(sentence ? { sentence } : {}),
    ...(states === undefined ? {} : { states }),
  }
}
