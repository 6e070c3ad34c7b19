import * as v from 'valibot'
import { exact } from '@dmp/contract'
import { changeKinds, type ChangeKind } from '@dmp/contract/changes'
import { WebhookDraft, type Webhook } from '@dmp/contract/webhook'

const { name, url, password } = WebhookDraft.entries
const Kind = v.boolean('Yes or no.')

const [firstKind, ...otherKinds] = changeKinds
/** The form: one box for each kind of change. */
export const WebhookForm = v.pipe(
  exact({
    name,
    url,
    SeriesCreated: Kind,
    SeriesGrown: Kind,
    SeriesQuiet: Kind,
    SeriesReduced: Kind,
    SeriesShared: Kind,
    SeriesTransferred: Kind,
    SeriesDeleted: Kind,
    password,
  }),
  v.forward(
    v.partialCheck(
      [[firstKind], ...otherKinds.map((kind) => [kind] as const)],
      (form) => changeKinds.some((kind) => form[kind]),
      'Choose at least one kind of change.',
    ),
    ['SeriesCreated'],
  ),
)
export type WebhookForm = v.InferOutput<typeof WebhookForm>

/** What the calls take. */
export const toDraft = ({ name: chosenName, url: address, password: own, ...kinds }: WebhookForm) => ({
  name: chosenName,
  url: address,
  kinds: changeKinds.filter((kind) => kinds[kind]),
  password: own,
})

const toBoxes = (kinds: readonly ChangeKind[]) =>
  Object.fromEntries(changeKinds.map((kind) => [kind, kinds.includes(kind)])) as Record<ChangeKind, boolean>

/** A new webhook is told when there is something to fetch, and when it is gone. */
export const newDefaults = toBoxes(['SeriesQuiet', 'SeriesDeleted'])

export const toDefaults = ({ name: ownName, url: address, kinds }: Webhook) => ({
  name: ownName,
  url: address,
  ...toBoxes(kinds),
})
