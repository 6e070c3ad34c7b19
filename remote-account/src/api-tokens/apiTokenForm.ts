import * as v from 'valibot'
import { exact, limits, permits, type Policy } from '@dmp/contract'
import { ApiTokenDraft, Networks, permissionsOfScope, scopeNames, type ScopeName } from '@dmp/contract/apiToken'

/** What each scope lets a machine do, in the words of the screen. */
export const scopeTexts: Readonly<Record<ScopeName, string>> = {
  read: 'Search, view and download scans',
  upload: 'Upload scans',
  delete: 'Delete scans',
  monitor: 'Tell how journeys go, and take back a release that breaks them',
}

/** Of these scopes, those of which the person may something: nobody gives a machine more. */
export const listOwnScopes = (policy: Policy, scopes: readonly ScopeName[]): readonly ScopeName[] =>
  scopes.filter((scope) => permissionsOfScope[scope].some((permission) => permits(policy, permission)))

export const lifetimes = [7, 30, 90, 180, limits.apiTokenMaxDays].map(String)

const { name, password } = ApiTokenDraft.entries
const Scope = v.boolean('Yes or no.')

/** Networks are typed with commas, blanks or lines between them. */
const TypedNetworks = v.pipe(
  v.string('The networks are text.'),
  v.transform((text) => text.split(/[\s,;]+/).filter(Boolean)),
  Networks,
)

/** The form: one box for each scope, and text where the call takes lists. */
export const ApiTokenForm = v.pipe(
  exact({
    name,
    read: Scope,
    upload: Scope,
    delete: Scope,
    monitor: Scope,
    expireInDays: v.pipe(v.picklist(lifetimes, 'Choose how long it lasts.'), v.transform(Number)),
    addresses: v.optional(TypedNetworks),
    password,
  }),
  v.forward(
    v.check((draft) => scopeNames.some((scope) => draft[scope]), 'Choose at least one scope.'),
    ['read'],
  ),
)
export type ApiTokenForm = v.InferOutput<typeof ApiTokenForm>

/** What the call takes. */
export const toDraft = ({
  name: chosenName,
  expireInDays,
  addresses: networks = [],
  password: own,
  ...scopes
}: ApiTokenForm) => ({
  name: chosenName,
  scopes: scopeNames.filter((scope) => scopes[scope]),
  expireInDays,
  addresses: networks,
  password: own,
})
