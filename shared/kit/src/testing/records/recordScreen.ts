import type { Endpoint } from '@dmp/contract/endpoint'
import { CallError } from '@dmp/kit'
import { identify, listActions, type Action } from './controls.ts'
import { compareLines, sayDifference } from './compareLines.ts'
import { takeReadNames } from './effects.ts'
import { ownParam } from './ownAnswer.ts'
import { Visit, isRead, type Circumstances, type RecordedScreen } from './Visit.tsx'
import { walk } from './walk.ts'

const whole: Circumstances = { filling: { rows: true, turn: 0 } }

const head = (title: string): string[] => ['', '', `## ${title}`, '']

interface StateOptions {
  readonly title: string
  readonly like: readonly string[]
  /** What was done before; undefined where nothing is to be done. */
  readonly seen: Set<string> | undefined
  readonly again: ReadonlySet<string>
  readonly isWanted?: (action: Action) => boolean
}

async function recordState(
  screen: RecordedScreen,
  circumstances: Circumstances,
  { title, like, seen, again, isWanted = () => true }: StateOptions,
): Promise<string[]> {
  await Visit.leave()
  const visit = await Visit.open(screen, circumstances)
  const shown = shownOf(visit, screen)
  const changes = compareLines(like, shown)
  if (changes.length === 0) return []
  const record = [...head(title), ...changes]
  if (!seen || visit.hasLeft) return record
  const all = listActions()
  const ids = identify(all)
  const actions = all.filter((action, index) => isWanted(action) && !seen.has(ids[index]!))
  const minute = circumstances.reply ? new Map<string, number>() : await visit.wait(minuteMs)
  const ownAgain = new Set([...again, ...minute.keys()])
  const later = sayMinute([...minute].filter(([line]) => !again.has(line)))
  return [...record, ...later, ...(await walk(screen, circumstances, { seen, again: ownAgain, actions }))]
}

const minuteMs = 60_000
const sayMinute = (minute: readonly (readonly [string, number])[]): string[] =>
  minute.length === 0 ? [] : ['', 'In the next minute:', ...minute.map(([line, times]) => `  ${times} × ${line}`)]

/** The screen as links lead to it, with all that it reads in its address; what is chosen there changes that. */
async function recordAddress(
  screen: RecordedScreen,
  params: readonly string[],
  options: Pick<StateOptions, 'like' | 'again'>,
): Promise<string[]> {
  const query = new URLSearchParams(params.map((name) => [name, ownParam(name)]))
  const linked = { ...screen, at: `${screen.at}?${query}` }
  const isWanted = ({ kind, key }: Action): boolean => kind === 'set' && /^(?:combo|search)box/.test(key)
  return recordState(linked, whole, { ...options, title: `At ?${query}`, seen: new Set(), isWanted })
}

/** How the words of an answer may be besides. */
const turns = [2, 3]

interface State {
  readonly title: string
  readonly circumstances: Circumstances
  /** Whether nothing can be done but to wait or to go. */
  readonly isIdle?: boolean
}

function listFailures(read: Endpoint): State[] {
  const withError = (title: string, error: CallError): State => ({
    title: `${read.name} ${title}`,
    circumstances: { ...whole, reply: (call) => (call.name === read.name ? error : undefined) },
    isIdle: error.status === 404,
  })
  const fails = withError('fails', new CallError(500, 'FAILED', 'The server failed.'))
  // What is asked for by its id may have gone.
  const isNamed = read.name.includes('/:')
  return isNamed ? [fails, withError('finds nothing', new CallError(404, 'NOT_FOUND', 'There is none.'))] : [fails]
}

/** How a server and a person may be besides, for a screen that asks for these reads. */
function listStates({ isPublic }: RecordedScreen, reads: readonly Endpoint[]): State[] {
  const withTurn = (title: string, turn: number) => ({ title, circumstances: { filling: { rows: true, turn } } })
  const never = new Promise<CallError>(() => undefined)
  const waiting = { ...whole, reply: (call: Endpoint) => (isRead(call) ? never : undefined) }
  return [
    withTurn('With what must be there alone', 1),
    ...turns.map((turn) => withTurn(`With other words (${turn})`, turn)),
    { title: 'With nothing in any list', circumstances: { filling: { rows: false, turn: 0 } } },
    ...(isPublic
      ? []
      : [
          { title: 'For an administrator of a customer', circumstances: { ...whole, role: 'admin' as const } },
          { title: 'For people who may read alone', circumstances: { ...whole, readsOnly: true } },
        ]),
    ...(reads.length > 0 ? [{ title: 'While the server answers', circumstances: waiting, isIdle: true }] : []),
    ...reads.flatMap(listFailures),
  ]
}

const triesAgain = ({ kind, key }: Action): boolean => kind === 'press' && /\bagain\b|\bretry\b/i.test(key)

/** Whoever tries a read again that failed sees what would have been there; what is otherwise is written down. */
async function recordRecoveries(screen: RecordedScreen, reads: readonly Endpoint[]): Promise<string[]> {
  const open = async (circumstances: Circumstances): Promise<Visit> => {
    await Visit.leave()
    return Visit.open(screen, circumstances)
  }
  // Not as it was at first: what somebody has chosen since then may be remembered.
  const expected = reads.length > 0 ? (await open(whole)).look() : undefined
  const record: string[] = []
  for (const { name } of reads) {
    let error: CallError | undefined = new CallError(500, 'FAILED', 'The server failed.')
    const visit = await open({ ...whole, reply: (call) => (call.name === name ? error : undefined) })
    error = undefined
    const ways = listActions().filter(triesAgain)
    for (const way of ways) await visit.act(way)
    const differing = expected && ways.length > 0 ? sayDifference(expected, visit.look()) : []
    if (differing.length > 0) record.push(...head(`${name} fails, and is tried again`), ...differing)
  }
  return record
}

/** The record of a screen: how it is in each state, and what can be done there. */
export async function recordScreen(screen: RecordedScreen): Promise<string> {
  await Visit.leave()
  takeReadNames()
  const visit = await Visit.open(screen, whole)
  const params = takeReadNames()
  const reads = visit.asked.filter(isRead)
  const like = shownOf(visit, screen)
  const actions = visit.hasLeft ? [] : listActions()
  const minute = await visit.wait(minuteMs)
  const options = { like, seen: new Set<string>(), again: new Set(minute.keys()) }
  const lines = [
    `# ${screen.name}`,
    '',
    ...like,
    ...sayMinute([...minute]),
    ...(await walk(screen, whole, { ...options, actions })),
  ]
  if (params.length > 0) lines.push(...(await recordAddress(screen, params, options)))
  for (const { title, circumstances, isIdle } of listStates(screen, reads))
    lines.push(
      ...(await recordState(screen, circumstances, { ...options, title, seen: isIdle ? undefined : options.seen })),
    )
  lines.push(...(await recordRecoveries(screen, reads)))
  await Visit.leave()
  return `${lines.join('\n').trim()}\n`
}

function shownOf(visit: Visit, screen: RecordedScreen): string[] {
  const { lines: asked } = visit.takeAsked()
  const { at, lines, beside, focus } = visit.look()
  return [
    ...asked,
    ...(at === screen.at ? [] : [`goes to ${at}`]),
    ...beside,
    ...(focus === 'nowhere' ? [] : [`focus ${focus}`]),
    ...lines,
  ]
}
