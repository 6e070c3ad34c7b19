import type { ReactNode } from 'react'
import './steps.css'

export interface Step {
  readonly title: string
  /** `failed`: it was tried, and has to be mended. */
  readonly state: 'done' | 'open' | 'failed'
  /** What the state is made of, and what to do next. */
  readonly text: ReactNode
  /** One button or link that does it. */
  readonly action?: ReactNode
}

const words = { done: 'Done', open: 'To do', failed: 'Failed' } as const
const marks = { done: '✓', open: '', failed: '!' } as const

/** A checklist: each step with its state in a word, a sentence and the one thing to do. */
export function Steps({ label, steps }: { label: string; steps: readonly Step[] }) {
  const done = steps.filter(({ state }) => state === 'done').length
  return (
    <>
      <p className="setup-steps-sum" role="status">
        {done} of {steps.length} done
      </p>
      <ol className="setup-steps" aria-label={label}>
        {steps.map(({ title, state, text, action }) => (
          <li key={title} data-state={state}>
            <span className="setup-steps-mark" aria-hidden="true">
              {marks[state]}
            </span>
            <div className="setup-steps-text">
              <strong>{title}</strong> <span className="setup-steps-state">{words[state]}</span>
              <p>{text}</p>
            </div>
            {action && <div className="setup-steps-action">{action}</div>}
          </li>
        ))}
      </ol>
    </>
  )
}
