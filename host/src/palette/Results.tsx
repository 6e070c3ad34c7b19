import { areKeysOn, toKeyCaps } from '@dmp/kit'
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import type { Group, Item } from './Item.ts'
import { listRows, type RowChoice } from './useChoice.ts'

interface ResultsProps {
  readonly listId: string
  readonly groups: readonly Group[]
  readonly choice: RowChoice
  readonly onOpen: (item: Item, inNewTab?: boolean) => void
  readonly onRetry: (id: string) => void
}

/** The rows in their groups. The focus stays in the field, which names the active row. */
export function Results({ listId, groups, choice, onOpen, onRetry }: ResultsProps) {
  const list = useRef<HTMLDivElement>(null)
  const { rows, activeAt } = choice
  // React does not scroll lists.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' })
  }, [activeAt])
  const toOption = (id: string) => {
    const at = rows.findIndex((row) => row.id === id)
    return { id: `${listId}${at}`, isActive: at === activeAt }
  }
  return (
    <div ref={list} id={listId} role="listbox" aria-label="Results" tabIndex={-1} hidden={rows.length === 0}>
      {groups.map((group) => {
        const groupRows = listRows([group])
        if (groupRows.length === 0) return null
        const headingId = `${listId} ${group.id}`.replaceAll(' ', '-')
        return (
          <div key={group.id} role="group" aria-labelledby={headingId} data-stale={group.isWaiting || undefined}>
            <div id={headingId} className="dmp-palette-heading" role="presentation">
              {group.place ? placeText(group.title, group.place) : group.title}
              {group.hasMore && <span>best matches</span>}
            </div>
            {groupRows.map(({ id, item }) =>
              item ? (
                <Option key={id} {...toOption(id)} item={item} onOpen={onOpen} />
              ) : (
                <FailedOption key={id} {...toOption(id)} group={group} onRetry={onRetry} />
              ),
            )}
          </div>
        )
      })}
    </div>
  )
}

const placeText = (title: string, place: string): string => `${title} in ${place}`

interface OptionProps {
  readonly id: string
  readonly isActive: boolean
}

interface OptionButtonProps extends OptionProps {
  readonly className?: string
  readonly onClick: (event: MouseEvent) => void
  readonly children: ReactNode
}

function OptionButton({ isActive, children, ...rest }: OptionButtonProps) {
  // Otherwise the field would lose the focus.
  const keepFocus = (event: MouseEvent) => event.preventDefault()
  return (
    <button {...rest} type="button" role="option" aria-selected={isActive} tabIndex={-1} onMouseDown={keepFocus}>
      {children}
    </button>
  )
}

function Option({ item, onOpen, ...place }: OptionProps & { item: Item; onOpen: ResultsProps['onOpen'] }) {
  const { text, note, when, keys } = item
  return (
    <OptionButton {...place} onClick={(event) => onOpen(item, event.ctrlKey || event.metaKey)}>
      <bdi className="dmp-palette-text">{text}</bdi>
      {note && <bdi className="dmp-palette-note">{note}</bdi>}
      {when && <span className="dmp-palette-when">{when}</span>}
      {keys && areKeysOn() && (
        <span className="dmp-palette-when" dir="ltr" aria-hidden="true">
          {toKeyCaps(keys).map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </span>
      )}
    </OptionButton>
  )
}

type FailedProps = OptionProps & { group: Group; onRetry: ResultsProps['onRetry'] }

function FailedOption({ group, onRetry, ...place }: FailedProps) {
  return (
    <OptionButton {...place} className="dmp-palette-failed" onClick={() => onRetry(group.id)}>
      <span className="dmp-palette-text">{group.title} could not be searched. Try again</span>
      <span className="dmp-palette-note">{group.failure}</span>
    </OptionButton>
  )
}
