import type { ReactNode } from 'react'
import { dataWord } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'
import { CloseOutlined, usePopover } from '@dmp/kit/ui'

/** A chip with a box below it, and a cross once something is chosen. */
function Chip({
  title,
  chosen,
  onClear,
  children,
}: {
  title: string
  chosen: string
  onClear: () => void
  children: ReactNode
}) {
  const box = usePopover()
  return (
    <span className="worklist-chip-root" data-chosen={chosen !== ''}>
      <details ref={box}>
        <summary className="worklist-chip">
          {title}
          {chosen && <strong>: {chosen}</strong>}
        </summary>
        <div className="worklist-popover">{children}</div>
      </details>
      {chosen && (
        <button type="button" className="worklist-chip-clear" aria-label={`Clear ${title}`} onClick={onClear}>
          <CloseOutlined />
        </button>
      )}
    </span>
  )
}

const shownChoices = 2

/** Any of several values. */
export function ChoiceChip({
  title,
  options,
  chosen,
  onChange,
}: {
  title: string
  options: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  // A value of an address that no study has any more can still be taken away.
  const all = [...new Set([...options, ...chosen])]
  const rest = chosen.length - shownChoices
  const words = chosen.slice(0, shownChoices).map(dataWord).join(', ') + (rest > 0 ? ` + ${rest}` : '')
  return (
    <Chip title={title} chosen={words} onClear={() => onChange([])}>
      <fieldset>
        <legend>{title}</legend>
        {all.length === 0 && <p>Nothing to choose yet.</p>}
        {all.map((option) => (
          <label key={option}>
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={(event) =>
                onChange(event.target.checked ? [...chosen, option] : chosen.filter((other) => other !== option))
              }
            />{' '}
            <bdi>{dataWord(option)}</bdi>
          </label>
        ))}
      </fieldset>
    </Chip>
  )
}

const toIsoDay = (daysAgo: number): string => {
  const day = new Date()
  day.setDate(day.getDate() - daysAgo)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
const spans: readonly { title: string; daysAgo: number }[] = [
  { title: 'Today', daysAgo: 0 },
  { title: 'Last 7 days', daysAgo: 6 },
  { title: 'Last 30 days', daysAgo: 29 },
]

/** The days from one to another; either may be missing. */
export function toSpanText(from: string, to: string): string {
  if (from && to) return from === to ? from : `${from} to ${to}`
  return from ? `from ${from}` : to && `to ${to}`
}

/** From one day to another. */
export function DaysChip({
  title,
  from,
  to,
  onChange,
}: {
  title: string
  from: string
  to: string
  onChange: (from: string, to: string) => void
}) {
  const chosen = toSpanText(formatDate(from, 'short'), formatDate(to, 'short'))
  return (
    <Chip title={title} chosen={chosen} onClear={() => onChange('', '')}>
      <fieldset>
        <legend>{title}</legend>
        <div className="worklist-spans">
          {spans.map(({ title: name, daysAgo }) => (
            <button key={name} type="button" className="worklist-chip" onClick={() => onChange(toIsoDay(daysAgo), '')}>
              {name}
            </button>
          ))}
        </div>
        <label>
          From{' '}
          <input
            type="date"
            className="dmp-select"
            value={from}
            onChange={(event) => onChange(event.target.value, to)}
          />
        </label>
        <label>
          To{' '}
          <input
            type="date"
            className="dmp-select"
            value={to}
            onChange={(event) => onChange(from, event.target.value)}
          />
        </label>
      </fieldset>
    </Chip>
  )
}
