export { keptAttributes, removedAttributes, wholeGroups, type WholeGroup } from './productRules.ts'
export {
  basicProfile,
  deidentificationAction,
  findDeidentificationRule,
  toAction,
  type DeidentificationAction,
  type DeidentificationRule,
  type ProfileAction,
  type ProfileRow,
} from './rules.ts'
