import { filterByRank, useUser } from '@dmp/kit'
import { useEffect, useRef, useState } from 'react'
import { declarations, remotes } from '../remotes/snapshot.ts'
import { askSources, type SourceAnswer } from './askSources.ts'
import type { Group, Item } from './Item.ts'
import { listCommands, listPages } from './pageItems.ts'
import { recentItems } from './recentItems.ts'
import { listSources, type Source } from './sources.ts'

/** One letter finds half of everything. */
const minChars = 2
/** Without typing for so long. */
const debounceMs = 150
/** How long an answer waits for those above it, so that it is not pushed down under the eyes. */
const orderMs = 400

interface Answered extends SourceAnswer {
  readonly term: string
}

export interface Groups {
  readonly groups: readonly Group[]
  /** A search has not answered yet. */
  readonly isWaiting: boolean
  readonly retry: (id: string) => void
}

/** What is shown for the text: what the page knows at once, and the searches of the remotes as they answer. */
export function useGroups(text: string, actions: readonly Item[]): Groups {
  const user = useUser()
  const term = text.trim()
  const [sources] = useState(() => listSources(remotes(), user.policy))
  const [recent] = useState(() => recentItems.list(user.policy))
  const { answers, isLate, retry } = useAnswers(term, sources)
  // What was opened a moment ago stands above.
  const opened = term === '' ? recent : filterByRank(term, recent)
  const isNew = ({ id }: Item) => !opened.some((item) => item.id === id)
  const local = [
    { id: 'pages', title: 'Pages', items: listPages(declarations(), user.policy) },
    { id: 'actions', title: 'Actions and settings', items: [...listCommands(declarations(), user.policy), ...actions] },
  ].map((group): Group => ({
    ...group,
    items: (term === '' ? group.items : filterByRank(term, group.items)).filter(isNew),
    isWaiting: false,
  }))
  const isAsked = term.length >= minChars
  const found: Group[] = []
  let isOrdered = true
  for (const { id, title } of isAsked ? sources : []) {
    const answer = answers[id]
    const isWaiting = answer?.term !== term
    isOrdered &&= answer !== undefined
    const items = (answer?.items ?? []).filter(isNew)
    const failure = isWaiting ? undefined : answer?.failure
    const { hasMore, place } = answer ?? {}
    found.push({ id, title, items: isOrdered || isLate ? items : [], hasMore, place, isWaiting, failure })
  }
  const recentGroup: Group = { id: 'recent', title: 'Recent', items: opened, isWaiting: false }
  return { groups: [recentGroup, ...local, ...found], isWaiting: found.some((group) => group.isWaiting), retry }
}

/** The newest answer of each source; that for an earlier text stays until the next one is there. */
function useAnswers(term: string, sources: readonly Source[]) {
  const user = useUser()
  const [answers, setAnswers] = useState<Readonly<Record<string, Answered>>>({})
  const [lateTerm, setLateTerm] = useState<string>()
  const [again, setAgain] = useState<{ readonly term: string; readonly source: Source }>()
  const ask = (asked: readonly Source[]) =>
    askSources({
      term,
      user,
      sources: asked,
      onAnswer: ({ id }, answer) => setAnswers((known) => ({ ...known, [id]: { ...answer, term } })),
    })
  const latestAsk = useRef(ask)
  useEffect(() => {
    latestAsk.current = ask
  })
  // The clock and the server are outside of React.
  useEffect(() => {
    if (term.length < minChars) return
    let stop: (() => void) | undefined
    const asking = setTimeout(() => (stop = latestAsk.current(sources)), debounceMs)
    const showing = setTimeout(() => setLateTerm(term), debounceMs + orderMs)
    return () => {
      clearTimeout(asking)
      clearTimeout(showing)
      stop?.()
    }
  }, [term, sources])
  useEffect(() => (again?.term === term ? latestAsk.current([again.source]) : undefined), [again, term])
  const retry = (id: string) => {
    const source = sources.find((each) => each.id === id)
    if (!source) return
    source.forget()
    setAnswers(({ [id]: _failed, ...others }) => others)
    setAgain({ term, source })
  }
  return { answers, isLate: lateTerm === term, retry }
}
