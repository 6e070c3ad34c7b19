import { limits } from '@dmp/contract/limits'
import { session } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { Button, CloseOutlined, Modal, Spinner } from '@dmp/kit/ui'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Group, Item } from './Item.ts'
import { recentItems } from './recentItems.ts'
import { Results } from './Results.tsx'
import { useChoice } from './useChoice.ts'
import { useGroups } from './useGroups.ts'
import './palette.css'

interface PaletteProps {
  /** What was typed while this was being loaded. */
  readonly typed: string
  readonly onKeys: () => void
  readonly onClose: () => void
}

/** Finds pages, actions and, through the remotes, records: a combobox with a list in groups (ARIA practices). */
export function Palette({ typed, onKeys, onClose }: PaletteProps) {
  const listId = useId()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(typed)
  const actions: readonly Item[] = [
    { id: 'action keys', text: 'Keyboard shortcuts', words: 'keys help', keys: '?', needs: 'session', run: onKeys },
    { id: 'action leave', text: 'Log out', words: 'sign out leave', needs: 'session', run: () => void session.end() },
  ]
  const { groups, isWaiting, retry } = useGroups(text, actions)
  const open = (item: Item, inNewTab = false) => {
    recentItems.add(item)
    if (inNewTab && item.to !== undefined) return void window.open(item.to, '_blank', 'noopener')
    onClose()
    if (item.to === undefined) item.run?.()
    else void navigate(item.to)
  }
  const choice = useChoice({ text, groups, onOpen: open, onRetry: retry })
  // The dialog would give the focus to itself first, and a letter typed meanwhile would be lost.
  useLayoutEffect(() => field.current?.focus(), [])

  const press = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      onClose()
    }
    choice.press(event)
  }
  return (
    <Modal open title="Search" className="dmp-palette" width={680} footer={null} closable={false} onCancel={onClose}>
      <div className="dmp-palette-field">
        <input
          ref={field}
          role="combobox"
          type="text"
          aria-label="Search everything"
          aria-expanded={choice.rows.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={choice.activeAt < 0 ? undefined : `${listId}${choice.activeAt}`}
          placeholder="Patients, studies, people, pages, actions …"
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.searchMaxChars}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
        />
        {isWaiting && <Spinner />}
        <Button type="text" icon={<CloseOutlined />} aria-label="Close" onClick={onClose} />
      </div>
      <Results listId={listId} groups={groups} choice={choice} onOpen={open} onRetry={retry} />
      <Summary groups={groups} count={choice.count} isWaiting={isWaiting} text={text} />
      <p className="dmp-palette-help" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </p>
    </Modal>
  )
}

interface SummaryProps {
  readonly groups: readonly Group[]
  readonly count: number
  readonly isWaiting: boolean
  readonly text: string
}

const resultsText = (count: number): string => (count === 1 ? '1 result' : `${count} results`)

const placesText = (titles: string, place: string): string => `${titles}: only ${place} was searched.`

/** Where nothing was found, the places that were not searched may have it. */
function toNothingText(term: string, groups: readonly Group[]): string {
  const places = [...new Set(groups.flatMap(({ place }) => place ?? []))]
  const titlesIn = (place: string) => groups.filter((group) => group.place === place).map(({ title }) => title)
  const limits = places.map((place) => placesText(titlesIn(place).join(', '), place))
  return [`Nothing found for “${term}”.`, ...limits].join(' ')
}

/** Says how much there is once every search has answered, and shows it where there is nothing. */
function Summary({ groups, count, isWaiting, text }: SummaryProps) {
  const [said, setSaid] = useState('')
  const term = text.trim()
  const failed = groups.filter(({ failure }) => failure !== undefined).map(({ title }) => title)
  const isNothing = count === 0 && failed.length === 0
  const nothing = term.length === 1 ? 'Type another letter to search records.' : toNothingText(term, groups)
  const sentence = isNothing
    ? nothing
    : [resultsText(count), ...(failed.length > 0 ? [`${failed.join(', ')} could not be searched.`] : [])].join('. ')
  // A screen reader repeats what changes, so it changes once for each question.
  const next = term === '' ? '' : sentence
  if (!isWaiting && said !== next) setSaid(next)
  return (
    <p role="status" className={isNothing && !isWaiting ? 'dmp-palette-none' : 'dmp-hidden'}>
      {said}
    </p>
  )
}
