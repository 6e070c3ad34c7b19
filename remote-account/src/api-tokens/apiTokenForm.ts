import * as v from 'valibot'
import { exact, limits, permits, type Policy } from '@dmp/contract'
import {
  ApiTokenDraft,
  isReleaseScope,
  Networks,
  permissionsOfScope,
  scopeNames,
  TokenParts,
  type ScopeName,
} from '@dmp/contract/apiToken'
import { Previewers } from '@dmp/contract/previewers'

/** What each scope lets a machine do, in the words of the screen. */
export const scopeTexts: Readonly<Record<ScopeName, string>> = {
  read: 'Search, view and download scans',
  upload: 'Upload scans',
  delete: 'Delete scans',
  monitor: 'Tell how journeys go, and take back a release that breaks them',
  publish: 'Bring releases, which makes nothing live',
  preview: 'Bring releases and let named people open them, which makes nothing live',
  canary: 'Give a release to some people first',
  activate: 'Make a release live for everyone',
  rollback: 'Roll a part back',
  unchecked: 'Leave out the trial in a browser, of which every super administrator is told',
}

/** The same in a word, for a list. */
export const scopeWords: Readonly<Record<ScopeName, string>> = {
  read: 'Read',
  upload: 'Upload',
  delete: 'Delete',
  monitor: 'Monitor',
  publish: 'Publish',
  preview: 'Preview',
  canary: 'Canary',
  activate: 'Activate',
  rollback: 'Roll back',
  unchecked: 'Without a trial',
}

/** Of these scopes, those of which the person may something: nobody gives a machine more. */
export const listOwnScopes = (policy: Policy, scopes: readonly ScopeName[]): readonly ScopeName[] =>
  scopes.filter((scope) => permissionsOfScope[scope].some((permission) => permits(policy, permission)))

/** One box for each scope, with a tick where `isTicked` says so. */
export const toScopeBoxes = (isTicked: (scope: ScopeName) => boolean) =>
  Object.fromEntries(scopeNames.map((scope) => [scope, isTicked(scope)])) as Record<ScopeName, boolean>

export const lifetimes = [7, 30, 90, 180, limits.apiTokenMaxDays].map(String)

const { name, password } = ApiTokenDraft.entries
const Scope = v.boolean('Yes or no.')

/** Lists are typed with commas, blanks or lines between their entries. */
const toEntries = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
const TypedNetworks = v.pipe(v.string('The networks are text.'), v.transform(toEntries), Networks)
const TypedPreviewers = v.pipe(v.string('The people are text.'), v.transform(toEntries), Previewers)
const TypedParts = v.pipe(v.string('The parts are text.'), v.transform(toEntries), TokenParts)

const [firstScope, ...otherScopes] = scopeNames
/** The form: one box for each scope, and text where the call takes lists. */
export const ApiTokenForm = v.pipe(
  exact({
    name,
    ...v.entriesFromList(scopeNames, Scope),
    parts: v.optional(TypedParts),
    previewers: v.optional(TypedPreviewers),
    expireInDays: v.pipe(v.picklist(lifetimes, 'Choose how long it lasts.'), v.transform(Number)),
    addresses: v.optional(TypedNetworks),
    password,
  }),
  v.forward(
    v.partialCheck(
      [[firstScope], ...otherScopes.map((scope) => [scope] as const)],
      (draft) => scopeNames.some((scope) => draft[scope]),
      'Choose at least one scope.',
    ),
    ['read'],
  ),
  v.forward(
    v.check(
      (draft) => !scopeNames.some((scope) => isReleaseScope(scope) && draft[scope]) || (draft.parts ?? []).length > 0,
      'Name the parts that it is for, such as remote-report.',
    ),
    ['parts'],
  ),
)
export type ApiTokenForm = v.InferOutput<typeof ApiTokenForm>

/** What the call takes. */
export const toDraft = ({
  name: chosenName,
  expireInDays,
  addresses: networks = [],
  parts = [],
  previewers = [],
  password: own,
  ...scopes
}: ApiTokenForm) => ({
  name: chosenName,
  scopes: scopeNames.filter((scope) => scopes[scope]),
  expireInDays,
  addresses: networks,
  // Servers before contract 1.10 know no parts.
  ...(parts.length > 0 ? { parts } : {}),
  // Servers before contract 1.11 know no previews.
  ...(previewers.length > 0 ? { previewers } : {}),
  password: own,
})
