import type { FieldEntry } from './formContext.ts'
import type { FormErrors, FormValues } from './formSchema.ts'

/** The state of a form. */
export interface FormState {
  /** The values that it started with or saved last; changes are measured against them. */
  readonly start: FormValues
  readonly values: FormValues
  /** Fields that the person has left, whose errors may be shown. */
  readonly left: ReadonlySet<string>
  /** The server's messages by field, until the field changes. */
  readonly refused: FormErrors
  /** Messages of checks outside of the schema, 'pending' while they run. */
  readonly reports: FormErrors
  readonly fields: ReadonlyMap<string, FieldEntry>
  readonly error: unknown
  readonly isBusy: boolean
  readonly isRestored: boolean
  /** How often the form was reset. */
  readonly round: number
}

export type FormAction =
  | { readonly type: 'change'; readonly name: string; readonly value: unknown }
  | { readonly type: 'preset'; readonly name: string; readonly value: unknown }
  | { readonly type: 'leave'; readonly name: string }
  | { readonly type: 'leave all' }
  | { readonly type: 'report'; readonly name: string; readonly verdict: string | undefined }
  | { readonly type: 'register'; readonly name: string; readonly entry: FieldEntry }
  | { readonly type: 'unregister'; readonly name: string }
  | { readonly type: 'send' }
  | { readonly type: 'saved' }
  | { readonly type: 'refused'; readonly error: unknown; readonly fields: FormErrors }
  | { readonly type: 'close error' }
  | { readonly type: 'reset' }

/** The first state, with values restored after a reload. */
export function createState(start: FormValues, restored: FormValues | null): FormState {
  return {
    start,
    values: { ...start, ...restored },
    left: new Set(),
    refused: {},
    reports: {},
    fields: new Map(),
    error: null,
    isBusy: false,
    isRestored: restored !== null,
    round: 0,
  }
}

const omit = (errors: FormErrors, name: string): FormErrors =>
  name in errors ? Object.fromEntries(Object.entries(errors).filter(([other]) => other !== name)) : errors

export function formReducer(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'change':
      return {
        ...state,
        values: { ...state.values, [action.name]: action.value },
        refused: omit(state.refused, action.name),
      }
    case 'preset':
      return {
        ...state,
        start: { ...state.start, [action.name]: action.value },
        values: { ...state.values, [action.name]: action.value },
      }
    case 'leave':
      return state.left.has(action.name) ? state : { ...state, left: new Set(state.left).add(action.name) }
    case 'leave all':
      return { ...state, left: new Set(Object.keys(state.start)) }
    case 'report':
      return {
        ...state,
        reports:
          action.verdict === undefined
            ? omit(state.reports, action.name)
            : { ...state.reports, [action.name]: action.verdict },
      }
    case 'register':
      return { ...state, fields: new Map(state.fields).set(action.name, action.entry) }
    case 'unregister':
      return { ...state, fields: new Map([...state.fields].filter(([name]) => name !== action.name)) }
    case 'send':
      return { ...state, isBusy: true, error: null }
    case 'saved':
      return { ...state, isBusy: false, start: state.values, isRestored: false }
    case 'refused':
      return { ...state, isBusy: false, error: action.error, refused: action.fields }
    case 'close error':
      return { ...state, error: null }
    case 'reset':
      return { ...createState(state.start, null), fields: state.fields, round: state.round + 1 }
  }
}
