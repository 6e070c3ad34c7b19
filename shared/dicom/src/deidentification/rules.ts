import { isPrivateTag, type Tag } from '../tagFormats.ts'
import table from './basicProfile.json' with { type: 'json' }
import { keptAttributes, removedAttributes, wholeGroups } from './productRules.ts'

/**
 * Action codes of PS3.15 table E.1-1a: X removes, Z empties, D replaces by a dummy, U replaces a UID by a new one that
 * is the same throughout. Where several stand, the type of the attribute in the object decides. `X/Z/U*` is a sequence
 * of references: it stays, with new UIDs.
 */
export type ProfileAction = 'X' | 'Z' | 'D' | 'U' | 'X/Z' | 'X/D' | 'Z/D' | 'X/Z/D' | 'X/Z/U*'

/** One row of the Basic Application Level Confidentiality Profile (PS3.15 table E.1-1). */
export interface ProfileRow {
  /** Eight hexadecimal digits; `X` stands for any digit of a repeating group. */
  readonly tag: Tag
  readonly action: ProfileAction
  readonly keyword: string
  readonly name: string
}

/** The standard's table, in the order of the tags. Written by `scripts/workspace/deidentificationProfile.ts`. */
export const basicProfile: readonly ProfileRow[] = table.map(([tag = '', action, keyword = '', name = '']) => ({
  tag,
  action: action as ProfileAction,
  keyword,
  name,
}))

const rowsByTag = new Map(basicProfile.map((row) => [row.tag, row]))

/** The action on an attribute, and its rule; the rule stands in the report of a de-identification. */
export interface DeidentificationRule {
  readonly action: ProfileAction
  readonly rule: string
}

/** `60003000` → `60XX3000`: repeating groups have one row for all (PS3.5 section 7.6). */
const toRepeating = (tag: Tag): readonly Tag[] => [`${tag.slice(0, 2)}XX${tag.slice(4)}`, `${tag.slice(0, 2)}XXXXXX`]

const findRow = (tag: Tag): ProfileRow | undefined =>
  [tag, ...(/^[56]0/.test(tag) ? toRepeating(tag) : [])]
    .map((key) => rowsByTag.get(key))
    .find((row) => row !== undefined)

const isInWholeGroup = (tag: Tag): boolean =>
  wholeGroups.some(({ group }) => tag.startsWith(group.replace('XX', tag.slice(2, 4))))

/** The rule for an attribute; `undefined` where neither the standard's table nor the product names it. */
export function findDeidentificationRule(tag: Tag): DeidentificationRule | undefined {
  if (isPrivateTag(tag)) return { action: 'X', rule: 'PS3.15 E.1-1 X' }
  const row = findRow(tag)
  if (row) return { action: row.action, rule: `PS3.15 E.1-1 ${row.action.replaceAll('/', '')}` }
  if (removedAttributes.has(tag)) return { action: 'X', rule: 'this product, beyond PS3.15 E.1-1' }
  if (isInWholeGroup(tag) && !keptAttributes.has(tag)) return { action: 'X', rule: `whole group ${tag.slice(0, 4)}` }
  return undefined
}

export type DeidentificationAction = 'remove' | 'empty' | 'replace' | 'uid' | 'keep'

const actions: Readonly<Record<'X' | 'Z' | 'D' | 'U', DeidentificationAction>> = {
  X: 'remove',
  Z: 'empty',
  D: 'replace',
  U: 'uid',
}

/**
 * The meaning of an action code in one object. Where the standard lets the type of the attribute decide, an object of a
 * kind that needs values (enhanced images, PET) gets a dummy, and any other an empty element, which every reader
 * accepts.
 */
export function toAction(action: ProfileAction, needsValues: boolean): DeidentificationAction {
  if (action === 'X/Z/U*') return 'uid'
  if (action === 'X' || action === 'Z' || action === 'D' || action === 'U') return actions[action]
  return action.includes('D') && needsValues ? 'replace' : 'empty'
}

/**
 * The action on an attribute by its tag alone. An attribute that no rule names is kept here; the code that writes the
 * copy still judges its content: unknown attributes and values that repeat a name must go.
 *
 * @example deidentificationAction('00100010', { needsValues: false }) // 'empty'
 */
export function deidentificationAction(
  tag: Tag,
  { needsValues }: { readonly needsValues: boolean },
): DeidentificationAction {
  const rule = findDeidentificationRule(tag)
  return rule ? toAction(rule.action, needsValues) : 'keep'
}
