import type { Endpoint } from '@dmp/contract/endpoint'
import { CallError } from '@dmp/kit'
import { sayDifference } from './compareLines.ts'
import { identify, listActions, listSubmits, sayAction, type Action } from './controls.ts'
import { Visit, isRead, type Circumstances, type Moment, type RecordedScreen } from './Visit.tsx'

/** The page, what a button opens, and what a button in that opens. */
const maxDepth = 3
/** More than any screen has; a list of different things is no screen's fault. */
const maxActions = 80

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

/** What the server may refuse a change with, as the contract declares it. */
function listRefusals({ definition }: Endpoint): CallError[] {
  const names = Object.keys(toEntries(definition.body))
  const seen = 'seenUpdatedDate' in { ...toEntries(definition.body), ...definition.query?.entries }
  const fields = names
    .filter((name) => name !== 'seenUpdatedDate')
    .map((path) => ({ path, message: `Not this ${path}.` }))
  return [
    ...(fields.length > 0 ? [new CallError(400, 'INVALID', 'The server did not take it.', { fields })] : []),
    ...(seen ? [new CallError(409, 'CHANGED_MEANWHILE', 'Somebody else was faster.')] : []),
    ...(definition.refusals ?? []).map(
      (status) => new CallError(status, `REFUSED_${status}`, `Refused with ${status}.`),
    ),
    ...(fields.length === 0 && !seen ? [new CallError(409, 'CONFLICT', 'The server says no.')] : []),
  ]
}

const toEntries = (body: unknown): Readonly<Record<string, unknown>> =>
  (body as { entries?: Readonly<Record<string, unknown>> } | undefined)?.entries ?? {}

interface WalkOptions {
  /** What was done before on this screen. */
  readonly seen: Set<string>
  /** What the screen asks by itself. */
  readonly again: ReadonlySet<string>
}

/** Everything that can be done on a screen, each thing once, and what comes of it. */
class Walk {
  readonly lines: string[] = []
  readonly #screen: RecordedScreen
  readonly #circumstances: Circumstances
  readonly #seen: Set<string>
  readonly #again: ReadonlySet<string>
  #visit: Visit | undefined
  /** How it was left, where something was done besides that led nowhere. */
  #last: { readonly look: Moment; readonly ids: readonly string[] } | undefined

  constructor(screen: RecordedScreen, circumstances: Circumstances, { seen, again }: WalkOptions) {
    this.#screen = screen
    this.#circumstances = circumstances
    this.#seen = seen
    this.#again = again
  }

  /** What the screen asks again and again says nothing of what was done. */
  #say(visit: Visit, before: Moment, after = visit.look()): string[] {
    return visit.sayChange(before, after).filter((line) => !this.#again.has(line))
  }

  async #reach(path: readonly Action[], circumstances = this.#circumstances): Promise<Visit> {
    await Visit.leave()
    const visit = await Visit.open(this.#screen, circumstances)
    for (const action of path) await visit.act(action)
    visit.takeAsked()
    return visit
  }

  /** Does all that can be done after this path and was not done before; what is `around` is done from there. */
  async explore(path: readonly Action[], candidates: readonly Action[], around = new Set<string>()): Promise<void> {
    const ids = identify(candidates)
    for (const [index, action] of candidates.entries()) {
      const id = ids[index]!
      if (this.#seen.has(id) || this.#seen.size > maxActions) continue
      this.#seen.add(id)
      await this.#try(path, action, around)
    }
  }

  async #try(path: readonly Action[], action: Action, around: ReadonlySet<string>): Promise<void> {
    const earlier = this.#visit
    this.#visit = undefined
    const visit = earlier ?? (await this.#reach(path))
    const { look: before, ids: here } = (earlier && this.#last) ?? { look: visit.look(), ids: identify(listActions()) }
    const isDone = await visit.act(action)
    const changes = visit.asked.filter((endpoint) => !isRead(endpoint))
    const isFilled = action.kind === 'fill'
    const list = visit.hasLeft ? [] : listActions()
    const ids = identify(list)
    const isSame = changes.length === 0 && !visit.hasLeft && !isFilled && ids.join() === here.join()
    // What leads on is done from where nothing else was done before.
    if (earlier && this.#last && !(isSame && isDone)) return this.#try(path, action, around)
    if (!isDone) return
    const after = visit.look()
    const said = this.#say(visit, before, after)
    const steps = [...path, action]
    if (said.length > 0 || !action.key.startsWith('link '))
      this.lines.push('', `${steps.map(sayAction).join(' › ')}:`, ...indent(said.length > 0 ? said : ['nothing']))
    if (isSame) {
      this.#visit = visit
      this.#last = { look: after, ids }
      return
    }
    const known = new Set([...around, ...here])
    const next = isFilled ? listSubmits() : list.filter((_, index) => !known.has(ids[index]!))
    // A choice brings fields, or rows and words that have their buttons elsewhere.
    const isNext = ({ kind, key }: Action) => (action.kind === 'set' ? kind === 'fill' : !key.startsWith('summary'))
    const later = visit.hasLeft ? [] : next.filter(isNext)
    for (const change of changes) await this.#refuse(steps, change, after)
    if (later.length === 0 || steps.length >= maxDepth + (steps.some(({ kind }) => kind === 'fill') ? 1 : 0)) return
    if (isFilled) for (const id of identify(later)) this.#seen.delete(id)
    if (changes.length === 0) this.#visit = visit
    this.#last = undefined
    const hasChosen = steps.some(({ kind }) => kind === 'set')
    await this.explore(steps, hasChosen ? later.map(keepChoices) : later, known)
    this.#visit = undefined
  }

  /**
   * While the change is under way somebody is in a hurry; then the server says no, and once more for each of its
   * reasons. Whoever is let in the end stands where it would have led at once; what is otherwise is written down.
   */
  async #refuse(steps: readonly Action[], change: Endpoint, accepted: Moment): Promise<void> {
    const [first, ...others] = listRefusals(change)
    const { promise, resolve } = Promise.withResolvers<CallError>()
    let reply: CallError | Promise<CallError> | undefined = promise
    const circumstances: Circumstances = {
      ...this.#circumstances,
      reply: (endpoint) => (endpoint.name === change.name ? reply : this.#circumstances.reply?.(endpoint)),
    }
    const action = steps.at(-1)!
    const reach = () => this.#reach(steps.slice(0, -1), circumstances)
    let visit = await reach()
    const note = async (title: string, happen: () => Promise<unknown>, isKept = true) => {
      const before = visit.look()
      await happen()
      const said = this.#say(visit, before).filter((line) => !isKept || !line.startsWith(`asks ${change.name} `))
      if (isKept || said.length > 0) this.lines.push(`  ${title}:`, ...indent(indent(said)))
    }
    await note('under way', () => visit.act(action))
    await note('once more meanwhile', () => visit.act(action), false)
    const sayRefused = ({ status, code }: CallError): string => `refused with ${status} ${code}`
    await note(sayRefused(first!), () => (resolve(first!), visit.rest()))
    for (const error of others) {
      reply = error
      await note(sayRefused(error), async () => {
        // Some dialogs have closed.
        if (await visit.act(action)) return
        visit = await reach()
        await visit.act(action)
      })
    }
    // What is asked again and again changes by itself meanwhile.
    if (this.#again.size > 0) return
    reply = undefined
    // Some dialogs have closed, and what is typed a second time is sometimes no change.
    visit.takeAsked()
    if (!(await visit.act(action)) || !visit.asked.some(({ name }) => name === change.name)) return
    const differing = sayDifference(accepted, visit.look())
    if (differing.length > 0)
      this.lines.push('  accepted in the end, and not as at once:', ...indent(indent(differing)))
  }
}

/** What was chosen before is not chosen anew where all fields are filled. */
const keepChoices = (action: Action): Action => (action.kind === 'fill' ? { ...action, nth: 1 } : action)

/** What comes of all that can be done on a screen, from these actions on. */
export async function walk(
  screen: RecordedScreen,
  circumstances: Circumstances,
  options: WalkOptions & { readonly actions: readonly Action[] },
): Promise<string[]> {
  const walker = new Walk(screen, circumstances, options)
  await walker.explore([], options.actions)
  return walker.lines
}
