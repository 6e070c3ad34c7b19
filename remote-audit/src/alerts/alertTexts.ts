import type { AccessAlert } from '@dmp/contract/audit'
import type { BadgeTone } from '@dmp/kit/ui'

/** What a rule looks for, in lists. */
export const ruleTexts: Readonly<Record<AccessAlert['rule'], string>> = {
  ManyPatients: 'Many patients in a short time',
  OutOfHours: 'Patients out of hours',
  OwnName: 'A name like their own',
}

/** A newer server may know other rules. */
export const toRuleText = (rule: string): string =>
  Object.hasOwn(ruleTexts, rule) ? ruleTexts[rule as AccessAlert['rule']] : 'Another rule'

export const toStateText = ({ acknowledgedDate }: AccessAlert): string =>
  acknowledgedDate === null ? 'Open' : 'Looked into'

export const toStateTone = ({ acknowledgedDate }: AccessAlert): BadgeTone =>
  acknowledgedDate === null ? 'warning' : 'success'
