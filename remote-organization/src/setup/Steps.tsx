import type { ReactNode } from 'react'
import './steps.css'

export interface Step {
  readonly title: string
  /** `failed`: it was tried, and has to be mended. `optional`: nothing waits for it. */
  readonly state: 'done' | 'open' | 'failed' | 'optional'
  /** What the state is made of, and what to do next. */
  readonly text: ReactNode
  /** One button or link that does it. */
  readonly action?: ReactNode
}

function stateText(state: Step['state']): string {
  switch (state) {
    case 'done':
      return 'Done'
    case 'open':
      return 'To do'
    case 'failed':
      return 'Failed'
    case 'optional':
      return 'Optional'
  }
}
const marks = { done: '✓', open: '', failed: '!', optional: '' } as const

/** A checklist: each step with its state in a word, a sentence and the one thing to do. */
export function Steps({ label, steps: all }: { label: string; steps: readonly Step[] }) {
  const steps = all.filter(({ state }) => state !== 'optional')
  const done = steps.filter(({ state }) => state === 'done').length
  return (
    <>
      <p className="setup-steps-sum" role="status">
        {done} of {steps.length} done
      </p>
      <ol className="setup-steps" aria-label={label}>
        {all.map(({ title, state, text, action }) => (
          <li key={title} data-state={state}>
            <span className="setup-steps-mark" aria-hidden="true">
              {marks[state]}
            </span>
            <div className="setup-steps-text">
              <strong>{title}</strong> <span className="setup-steps-state">{stateText(state)}</span>
              <p>{text}</p>
            </div>
            {action && <div className="setup-steps-action">{action}</div>}
          </li>
        ))}
      </ol>
    </>
  )
}
