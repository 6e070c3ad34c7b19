import { calls } from '@dmp/contract/calls'
import { policyActions, type Endpoint } from '@dmp/contract/endpoint'
import type { CallError } from '@dmp/kit'
import { ScreenBoundary } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import { cleanup } from '@testing-library/react'
import type { ReactNode } from 'react'
import { clearTab } from '../../session/clearTab.ts'
import { queryClient } from '../../transport/queryClient.ts'
import { answer, type Line } from '../answers.ts'
import { renderScreen, type Rendered, type Role } from '../renderScreen.tsx'
import { pass } from './clock.ts'
import { perform, type Action } from './controls.ts'
import { besides, listOutdated, placeEarlier, takeOutside } from './effects.ts'
import { compareLines } from './compareLines.ts'
import { describe, hear } from './hear.ts'
import { ownAnswer, type Filling } from './ownAnswer.ts'

type Known = Readonly<Record<string, string>>

/** One screen of a part, at an address. */
export interface RecordedScreen {
  readonly name: string
  readonly ui: ReactNode
  readonly at: string
  /** What the address names. */
  readonly known: Known
  /** For people who have not signed in. */
  readonly isPublic: boolean
}

/** How the server and the person are, when a screen is visited. */
export interface Circumstances {
  readonly filling: Filling
  /** Default: the provider's administrator. */
  readonly role?: Role
  /** Whether the person may read alone. */
  readonly readsOnly?: boolean
  /** How a call is answered, other than with its own values. */
  readonly reply?: (endpoint: Endpoint) => CallError | Promise<CallError> | undefined
}

/** Also a question that is too long for an address. */
export const isRead = ({ definition: { method, path } }: Endpoint): boolean =>
  method === 'GET' || /\/list[A-Z]/.test(path)
const readNames = [...new Set(calls.filter(isRead).map(({ name }) => name))]

const policyOf = (readsOnly: boolean) =>
  Object.entries(policyActions).map(([module, actions], index) => ({
    moduleId: `00000000-0000-4000-9000-${String(index + 1).padStart(12, '0')}`,
    module,
    actions: actions.filter((action) => !readsOnly || /^(?:List$|Get)/.test(action)),
  }))

const toLine = (endpoint: Endpoint, { filling, reply }: Circumstances, known: Known): Line =>
  answer(
    endpoint,
    ((input: Record<string, unknown>) =>
      reply?.(endpoint) ?? ownAnswer(endpoint, filling, { ...known, ...input })) as never,
  )

/** What a person notices, and what the server does. */
export interface Moment {
  readonly at: string
  readonly lines: readonly string[]
  readonly beside: readonly string[]
  readonly focus: string
}

const focusOf = (): string => {
  const { activeElement } = document
  return activeElement && activeElement !== document.body ? describe(activeElement) : 'nowhere'
}

/** Long enough for what waits until somebody has typed, and for a second try of a read. */
const settleMs = 1500
/** A server that does not answer is not waited for. */
const mostMs = 6000

const isWaiting = (): boolean =>
  queryClient.isFetching() + queryClient.isMutating() > 0 || document.querySelector('[aria-busy="true"]') !== null

async function settle(): Promise<void> {
  await pass(settleMs)
  for (let waited = settleMs; waited < mostMs && isWaiting(); waited += 500) await pass(500)
  await pass(0)
}

/** One person at one screen. */
export class Visit {
  readonly #rendered: Rendered
  readonly #path: string
  #asked = 0

  private constructor(screen: RecordedScreen, circumstances: Circumstances) {
    const { readsOnly = false, role = 'super_admin' } = circumstances
    this.#path = screen.at
    this.#rendered = renderScreen(<ScreenBoundary>{screen.ui}</ScreenBoundary>, {
      at: screen.at,
      as: screen.isPublic ? null : role,
      user: { policy: policyOf(readsOnly) } as never,
      answers: calls.map((endpoint) => toLine(endpoint, circumstances, screen.known)),
    })
  }

  static async open(screen: RecordedScreen, circumstances: Circumstances): Promise<Visit> {
    const visit = new Visit(screen, circumstances)
    await settle()
    placeEarlier(readNames)
    return visit
  }

  /** What was asked since the last time, and of which changes among it. */
  takeAsked(): { readonly lines: string[]; readonly changes: Endpoint[] } {
    const made = this.#rendered.made.slice(this.#asked)
    this.#asked = this.#rendered.made.length
    return {
      lines: made
        .filter(({ endpoint }) => !this.hasLeft || !isRead(endpoint))
        .map(({ endpoint, input }) => `asks ${endpoint.name} ${JSON.stringify(input)}`),
      changes: made.filter(({ endpoint }) => !isRead(endpoint)).map(({ endpoint }) => endpoint),
    }
  }

  /** What was asked since then, and is not taken yet. */
  get asked(): Endpoint[] {
    return [...new Set(this.#rendered.made.slice(this.#asked).map(({ endpoint }) => endpoint))]
  }

  /** Whether another screen is shown now, which has a record of its own. */
  get hasLeft(): boolean {
    return this.#rendered.path().split('?')[0] !== this.#path.split('?')[0]
  }

  look(): Moment {
    return {
      at: this.#rendered.path(),
      lines: this.hasLeft ? [] : hear(document.body),
      beside: besides(),
      focus: focusOf(),
    }
  }

  async act(action: Action): Promise<boolean> {
    const isDone = await perform(action, () => pass(500))
    await settle()
    return isDone
  }

  /** Until nothing more comes of what has happened. */
  readonly rest = settle

  /** What has come of it, a line for each thing. */
  sayChange(before: Moment, after = this.look()): string[] {
    const { lines: asked, changes } = this.takeAsked()
    const outdated = changes.length > 0 ? listOutdated(readNames) : []
    if (outdated.length > 0) placeEarlier(readNames)
    return [
      ...asked,
      ...(outdated.length > 0 ? [`forgets ${outdated.join(', ')}`] : []),
      ...takeOutside(),
      ...(after.at === before.at ? [] : [`goes to ${after.at}`]),
      ...compareLines(before.beside, after.beside),
      ...(this.hasLeft ? [] : compareLines(before.lines, after.lines)),
      ...(after.focus === before.focus || this.hasLeft ? [] : [`focus ${after.focus}`]),
    ]
  }

  /** What the screen asks by itself while nobody does anything, each thing with how often. */
  async wait(ms: number): Promise<Map<string, number>> {
    await pass(ms, 5000)
    const times = new Map<string, number>()
    for (const line of this.takeAsked().lines) times.set(line, (times.get(line) ?? 0) + 1)
    return times
  }

  static async leave(): Promise<void> {
    cleanup()
    takeOutside()
    clearTab(null)
    notify.clear()
    queryClient.clear()
    jest.clearAllTimers()
    sessionStorage.clear()
    localStorage.clear()
    document.title = ''
    document.body.replaceChildren()
    await pass(0)
  }
}
