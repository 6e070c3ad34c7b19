import type { FieldEntry } from './formContext.ts'
import { hasChanges, type FormErrors, type FormValues } from './formSchema.ts'

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
  /** Somebody else has saved meanwhile: what is stored now is on its way. */
  readonly isBehind: boolean
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
  | { readonly type: 'refused'; readonly error: unknown; readonly fields: FormErrors; readonly isBehind: boolean }
  | { readonly type: 'catch up'; readonly stored: FormValues }
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
    isBehind: false,
    isBusy: false,
    isRestored: restored !== null,
    round: 0,
  }
}

const omit = (errors: FormErrors, name: string): FormErrors =>
  name in errors ? Object.fromEntries(Object.entries(errors).filter(([other]) => other !== name)) : errors

/**
 * Takes over what somebody else has saved into the fields that this person has not changed. A refusal stays at the
 * fields that both have changed.
 */
function catchUp(state: FormState, stored: FormValues): FormState {
  const differs = (a: FormValues, b: FormValues) => (name: string) => hasChanges({ [name]: a[name] }, b)
  const isOwn = differs(state.start, state.values)
  const isTheirs = differs(state.start, stored)
  const ownValues = Object.entries(state.values).filter(([name]) => isOwn(name))
  return {
    ...state,
    isBehind: false,
    start: stored,
    values: { ...stored, ...Object.fromEntries(ownValues) },
    refused: Object.fromEntries(Object.entries(state.refused).filter(([name]) => isOwn(name) && isTheirs(name))),
  }
}

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
      return { ...state, isBusy: false, error: action.error, refused: action.fields, isBehind: action.isBehind }
    case 'catch up':
      return catchUp(state, action.stored)
    case 'close error':
      return { ...state, error: null }
    case 'reset':
      return { ...createState(state.start, null), fields: state.fields, round: state.round + 1 }
  }
}
