import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import type { Declaration } from '@dmp/contract/remote'
import { getRoute } from '@dmp/contract/remote'
import { call, type FoundItem, type Search } from '@dmp/kit'
import { Route, Routes, type RemoteProps } from '@dmp/kit/router'
import {
  Children,
  isValidElement,
  useEffect,
  useState,
  type ComponentType,
  type ReactElement,
  type ReactNode,
} from 'react'
import { useSessionStore } from '../../session/store.ts'
import { now, takeClock } from './clock.ts'
import { watchOutside } from './effects.ts'
import { toNumber } from './ownAnswer.ts'
import { recordFiles } from './recordFiles.ts'
import type { RecordedScreen } from './Visit.tsx'
import { recordScreen } from './recordScreen.ts'

/** What stands in the address `/complaint/detail/:id`, each thing of its own. */
function nameAll(path: string): Readonly<Record<string, string>> {
  const toOwn = (name: string): string => {
    if (name.endsWith('UID')) return `2.25.${toNumber(name)}`
    return /id$/i.test(name) ? `00000000-0000-4000-9000-${String(toNumber(name)).padStart(12, '0')}` : `own-${name}`
  }
  return Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, toOwn(name)]))
}
const toFileName = (path: string): string => `${path.replaceAll(/[/:?* ]+/g, '-').replace(/^-/, '')}.txt`

interface RouteProps {
  readonly path?: string
  readonly element?: ReactNode
  readonly children?: ReactNode
}

/** The routes of an app, each alone: where a screen leads elsewhere, nothing else is drawn. */
function listScreens(routes: ReactNode, declaration: Declaration): RecordedScreen[] {
  return Children.toArray(routes).flatMap((route) => {
    if (!isValidElement(route)) return []
    const { path, element, children } = (route as ReactElement<RouteProps>).props
    if (path === undefined) return listScreens(children, declaration)
    if (path === '*') return []
    const known = nameAll(path)
    const at = path.replaceAll(/:(\w+)\??/g, (_, name: string) => known[name] ?? '')
    const guard = getRoute([declaration], at)?.claim.guard
    const ui = (
      <Routes>
        <Route path={path} element={element} />
        <Route path="*" element={null} />
      </Routes>
    )
    return [{ name: path, at, ui, known, isPublic: guard === 'public' || guard === 'guest' }]
  })
}

/** A screen with many controls is drawn hundreds of times. */
const mostMs = 600_000

const sayWhatToDo = (): string =>
  `If this is meant, write it anew and commit it: npm test -- --accept-records ${recordFiles().declaration().name}`

function expectRecord(name: string, record: string): void {
  const { isAccepting, read, write } = recordFiles()
  if (isAccepting) {
    write(name, record)
    return
  }
  const accepted = read(name)
  if (accepted === record) return
  // What Jest prints of two lists is the lines that differ, with some around them.
  try {
    expect(record.split('\n')).toEqual(accepted.split('\n'))
  } catch (error) {
    if (error instanceof Error) error.message = `records/${name} differs. ${sayWhatToDo()}\n\n${error.message}`
    throw error
  }
}

/** What a part shows to people. */
export interface RecordedPart {
  readonly App: (props: RemoteProps) => ReactNode
  /** Its modules `./cards` and `./search`, whole. */
  readonly cards?: Readonly<Record<string, ComponentType>>
  readonly searches?: Readonly<Record<string, Search>>
  /** What stands around pages, for people who have signed in and for others. */
  readonly frames?: Readonly<Record<string, ReactNode>>
  readonly publicFrames?: Readonly<Record<string, ReactNode>>
  /** Prepares the page before each record. */
  readonly prepare?: () => void
}

const askWith = <E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Answer<E>> => call(endpoint, input)

/** What a search finds, as a list. */
function Found({ search }: { readonly search: Search }) {
  const [found, setFound] = useState<readonly FoundItem[]>([])
  useEffect(() => {
    const { user } = useSessionStore.getState()
    const sayFailure = (error: Error) => setFound([{ to: '', text: error.message }])
    if (user) void search({ term: 'own term', limit: 5, user, ask: askWith }).then(setFound, sayFailure)
  }, [search])
  return (
    <ul>
      {found.map((item) => (
        <li key={item.to}>{JSON.stringify(item)}</li>
      ))}
    </ul>
  )
}

function listAll(part: RecordedPart, declaration: Declaration): RecordedScreen[] {
  const place = (kind: string, all: Readonly<Record<string, ReactNode>>, isPublic = false) =>
    Object.entries(all).map(([name, ui]) => ({ name: `${kind} ${name}`, ui, at: '/dashboard', known: {}, isPublic }))
  const draw = <T,>(all: Readonly<Record<string, T>> = {}, toUi: (one: T) => ReactNode) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, toUi(one)]))
  return [
    ...listScreens(part.App({ notFound: null }), declaration),
    ...place(
      'card',
      draw(part.cards, (Card) => <Card />),
    ),
    ...place(
      'search',
      draw(part.searches, (search) => <Found search={search} />),
    ),
    ...place('frame', part.frames ?? {}),
    ...place('frame', part.publicFrames ?? {}, true),
  ]
}

/** Records every screen of a part, and compares it with the record that was accepted. */
export function recordScreens(part: RecordedPart): void {
  const screens = listAll(part, recordFiles().declaration())
  beforeAll(() => {
    // Nobody reads where an element was made, and hundreds of drawings take half as long without.
    Object.defineProperty(Error, 'stackTraceLimit', { get: () => 0, set() {}, configurable: true })
    takeClock()
    watchOutside()
  })
  beforeEach(() => {
    jest.useFakeTimers({ now, doNotFake: ['queueMicrotask', 'nextTick'] })
    part.prepare?.()
  })
  afterEach(() => void jest.useRealTimers())
  it.each(screens.map((screen) => [screen.name, screen] as const))(
    '%s is as it was recorded',
    async (name, screen) => expectRecord(toFileName(name), await recordScreen(screen)),
    mostMs,
  )
  it('has no record of a screen that is none', () => {
    const names = new Set(screens.map(({ name }) => toFileName(name)))
    const { isAccepting, list, remove } = recordFiles()
    const old = list().filter((name) => !names.has(name))
    if (isAccepting) for (const name of old) remove(name)
    else expect(old).toEqual([])
  })
}
