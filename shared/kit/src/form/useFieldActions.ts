import { useMemo } from 'react'
import type { FormApi } from './formContext.ts'
import type { FormAction } from './formReducer.ts'

export type FieldActions = Pick<FormApi, 'change' | 'preset' | 'leave' | 'report' | 'register'>

/** The functions with which fields notify their form. Stable, because fields list them as dependencies of effects. */
export function useFieldActions(dispatch: (action: FormAction) => void): FieldActions {
  return useMemo(
    () => ({
      change: (name, value) => dispatch({ type: 'change', name, value }),
      preset: (name, value) => dispatch({ type: 'preset', name, value }),
      leave: (name) => dispatch({ type: 'leave', name }),
      report: (name, verdict) => dispatch({ type: 'report', name, verdict }),
      register(name, entry) {
        dispatch({ type: 'register', name, entry })
        return () => dispatch({ type: 'unregister', name })
      },
    }),
    [dispatch],
  )
}
